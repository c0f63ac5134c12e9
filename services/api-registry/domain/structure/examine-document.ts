import type { Findings } from "../findings.ts";
import { isRecord } from "../json-value.ts";
import { type DocumentSet, fileOfReference, splitReference } from "../references/document-set.ts";
import type { FileLoader } from "../references/load-files.ts";
import { escapeToken } from "../references/pointer.ts";

/** Brings in the files that references name. */
export async function examineDocument(set: DocumentSet, loader: FileLoader, findings: Findings): Promise<void> {
  const waiting: { value: unknown; file: string; pointer: string }[] = [
    { value: set.files.get("")!.value, file: "", pointer: "" },
  ];
  const seen = new Set([""]);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, file, pointer } = next;
    if (!isRecord(value) && !Array.isArray(value)) continue;
    for (const [key, member] of Object.entries(value)) {
      if (key.startsWith("x-")) continue;
      if (key === "$ref" && typeof member === "string") {
        const { filePart } = splitReference(member);
        if (filePart === "") continue;
        const reason = await loader.load(file, filePart);
        if (reason) findings.error({ file, pointer }, reason);
        const name = fileOfReference(set, file, filePart);
        if (name !== undefined && set.files.has(name) && !seen.has(name)) {
          seen.add(name);
          waiting.push({ value: set.files.get(name)!.value, file: name, pointer: "" });
        }
      } else if (typeof member === "object" && member !== null) {
        waiting.push({ value: member, file, pointer: `${pointer}/${escapeToken(key)}` });
      }
    }
  }
}
