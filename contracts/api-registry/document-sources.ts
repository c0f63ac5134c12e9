import { z } from "@hono/zod-openapi";

/** The largest document taken, in bytes. */
export const maximumDocumentBytes = 64 * 1024 * 1024;

/** Files beside the document, at most. */
export const maximumDocumentFiles = 5_000;

/**
 * Where a document comes from: an address, its text (with the files it refers to, by relative path), or what an
 * inspection kept.
 */
export const documentSource = z
  .union([
    z.object({
      url: z.string().trim().url("Write a whole address, as in https://api.example.com/openapi.json").max(4_000),
    }),
    z.object({
      document: z.string().min(1, "Paste the document or choose its file").max(maximumDocumentBytes),
      fileName: z.string().max(500).optional(),
      files: z.record(z.string(), z.string()).optional(),
    }),
    z.object({ staged: z.uuid() }),
  ])
  .openapi("DocumentSource");
export type DocumentSource = z.infer<typeof documentSource>;

const file = z.string().openapi({ format: "binary" });

/** The same as a form: the main file with others it refers to, or an address. */
export const documentForm = z
  .object({
    document: file.optional().describe("The main file"),
    files: z.array(file).optional().describe("Others it refers to, named by their relative paths"),
    url: z.url().optional().describe("Instead of files: where the document is"),
  })
  .openapi("DocumentForm");

/** What calls that take a document have in common. */
export const readsDocument = {
  streamsBody: true,
  mayTakeSeconds: 180,
  problems: {
    service_unavailable: "Another part of the portal is away, or many documents are being imported at this moment.",
  },
} as const;
