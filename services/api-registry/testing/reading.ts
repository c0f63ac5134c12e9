import { standardSchema } from "#libraries/openapi/standard-schemas.ts";
import { importDocument } from "../domain/import-document.ts";
import type { FetchFile, ImportedDocument } from "../domain/imported-document.ts";
import { defaultImportLimits, type ImportLimits } from "../domain/limits.ts";

/** Reads a document in this thread, without egress unless a client is given. */
export async function readDocument(
  given: { document: string; fileName?: string; files?: Record<string, string> },
  options: { limits?: Partial<ImportLimits>; fetchFile?: FetchFile } = {},
): Promise<ImportedDocument> {
  const encoder = new TextEncoder();
  const files = new Map(Object.entries(given.files ?? {}).map(([name, text]) => [name, encoder.encode(text)]));
  return await importDocument(
    { kind: "given", bytes: encoder.encode(given.document), fileName: given.fileName, files },
    {
      standardSchema,
      fetchFile: options.fetchFile ?? (async () => ({ ok: false, reason: "nothing is fetched in this test." })),
    },
    { ...defaultImportLimits, ...options.limits },
  );
}
