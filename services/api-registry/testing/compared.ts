import {
  type ChangedOperation,
  type ComparedDocument,
  compareDocuments,
  type DocumentComparison,
} from "#libraries/openapi/comparison/compare-documents.ts";
import { toComparedDocument } from "../domain/compared/to-compared.ts";
import { parseDescribedOperation } from "../store/described-operation.ts";
import { readDocument } from "./reading.ts";

/** A document as a comparison takes it. */
export async function toComparable(document: object | string): Promise<ComparedDocument> {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const read = await readDocument({ document: text, fileName: text.startsWith("{") ? "a.json" : "a.yaml" });
  if (!read.inspection.usable) throw new Error(JSON.stringify(read.inspection.problems));
  return toComparedDocument(read);
}

export async function compareTexts(before: object | string, after: object | string): Promise<DocumentComparison> {
  return compareDocuments(await toComparable(before), await toComparable(after), parseDescribedOperation);
}

/** `[rule, breaking]` of each change. */
export function getRules({ changes }: ChangedOperation): [rule: string, breaking: boolean][] {
  return changes.map(({ rule, breaking }) => [rule, breaking]);
}

export function getSentences({ changes }: ChangedOperation): string[] {
  return changes.map(({ sentence }) => sentence);
}
