import { z } from "@hono/zod-openapi";

/** Upper bound of a document, in bytes. */
export const maximumDocumentBytes = 64 * 1024 * 1024;

/** Upper bound of referenced files, not counting the document. */
export const maximumDocumentFiles = 5_000;

/** Source of a document: a URL, its text (with referenced files by relative path), or a staged inspection. */
export const documentSource = z
  .union([
    z.object({
      url: z.string().trim().url("Enter a full URL, e.g. https://api.example.com/openapi.json").max(4_000),
    }),
    z.object({
      document: z.string().min(1, "Paste the document or choose its file").max(maximumDocumentBytes),
      fileName: z.string().max(500).optional(),
      files: z.record(z.string(), z.string()).optional(),
    }),
    z.object({ staged: z.uuid() }),
  ])
  .openapi("DocumentSource", {
    example: {
      document: [
        "openapi: 3.1.0",
        "info: {title: Books, version: '1'}",
        "paths:",
        "  /books: {post: {responses: {'201': {description: A new book}}}}",
        "  /books/{bookId}: {get: {responses: {'200': {description: One book}}}}",
        "webhooks: {newBook: {post: {responses: {'204': {description: Taken note}}}}}",
      ].join("\n"),
    },
  });
export type DocumentSource = z.infer<typeof documentSource>;

const file = z.string().openapi({ format: "binary" });

/** The same as a form: the main file with the files it refers to, or a URL. */
export const documentForm = z
  .object({
    document: file.optional().describe("The main file"),
    files: z.array(file).optional().describe("Referenced files, named by their relative paths"),
    url: z.url().optional().describe("URL of the document, instead of files"),
  })
  .openapi("DocumentForm");

/** Shared by calls that take a document. */
export const readsDocument = {
  streamsBody: true,
  timeoutSeconds: 180,
  problems: {
    service_unavailable: "Another service is unavailable, or too many documents are being imported.",
  },
} as const;
