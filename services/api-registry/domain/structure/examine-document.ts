import type { Findings } from "../findings.ts";
import type { DocumentSet } from "../references/document-set.ts";
import type { FileLoader } from "../references/load-files.ts";
import { examineReferences } from "./examine-references.ts";
import { Examiner } from "./examiner.ts";
import { examineByStandard, type StandardSchema } from "./standard-schema.ts";
import { examineWhole } from "./whole-document-rules.ts";

/** Checks the whole document against the standard, and brings in the files that its references name. */
export async function examineDocument(
  set: DocumentSet,
  loader: FileLoader,
  standardSchema: StandardSchema,
  findings: Findings,
): Promise<void> {
  const main = set.files.get("")!;
  const examiner = new Examiner(set.version, findings);
  examiner.examine(main.value, { is: "object", kind: "document" }, { file: "", pointer: "" });
  await examineReferences(set, loader, examiner);
  examineWhole(set, findings);
  examineByStandard(main.value, set.version, standardSchema, findings);
}
