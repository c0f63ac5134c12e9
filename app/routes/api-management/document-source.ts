import { z } from "zod";
import { maximumDocumentFiles } from "#contracts/api-registry/document-sources.ts";

export const sourceWays = ["url", "file", "text"] as const;
export type SourceWay = (typeof sourceWays)[number];

/** A checked document of at most this many bytes travels on in the form, so that its file need not be chosen again. */
export const maxStoredDocumentBytes = 1024 * 1024;

const chosenFile = z.instanceof(File);

/** The fields that define a document's source. Files arrive as `File` and can't be rendered back; all other fields are kept. */
export const documentSourceFields = z.object({
  way: z.enum(sourceWays).default("url"),
  url: z.string().trim().max(4_000, "An address has at most 4,000 characters").optional(),
  documentFile: chosenFile.optional(),
  otherFiles: z
    .array(chosenFile)
    .max(maximumDocumentFiles, `Choose at most ${maximumDocumentFiles.toLocaleString("en")} files`)
    .default([]),
  document: z.string().optional(),
  /** Name of the file that `document` was read from, and the files it refers to, as JSON; stored by an earlier check. */
  fileName: z.string().max(500).optional(),
  attachedFiles: z.string().optional(),
  /** Chosen files that an earlier check stored, and their names. */
  staged: z.uuid().optional().catch(undefined),
  stagedName: z.string().max(500).optional(),
});
export type DocumentSourceFields = z.output<typeof documentSourceFields>;

/** Adds an error for each value that the chosen method lacks, at its field. */
export function requireSource(fields: DocumentSourceFields, context: z.RefinementCtx): void {
  const missing = (path: keyof DocumentSourceFields, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (fields.way === "url") {
    if (!fields.url) missing("url", "Enter the document URL");
    else if (!URL.canParse(fields.url) || !/^https?:/i.test(fields.url)) {
      missing("url", "Enter a full URL, e.g. https://api.example.com/openapi.json");
    }
  } else if (fields.way === "file") {
    if (!fields.documentFile && !fields.staged) missing("documentFile", "Choose the file of the document");
  } else if (!fields.document?.trim()) missing("document", "Paste the document");
}

/** The form's field for a path that api-registry names in a refusal. */
export function toSourceField(path: string, way: SourceWay): string {
  const field = path.replace(/^source\.?/, "");
  if (path.startsWith("source") || ["url", "document", "files"].includes(field)) {
    return way === "url" ? "url" : way === "file" ? "documentFile" : "document";
  }
  return field.startsWith("tags") ? "tags" : field;
}
