import type { Diagnostics } from "../diagnostics.ts";
import type { DocumentSet } from "../references/document-set.ts";
import { type StandardSchema, validateByStandard } from "./standard-schema.ts";
import { type ReferenceWays, validateReferences } from "./validate-references.ts";
import { Validator } from "./validator.ts";
import { validateWhole } from "./whole-document-rules.ts";

/** Checks the whole document against the standard, and loads the files that its references name. */
export async function validateDocument(
  set: DocumentSet,
  ways: ReferenceWays,
  standardSchema: StandardSchema,
  diagnostics: Diagnostics,
): Promise<void> {
  const main = set.files.get("")!;
  const validator = new Validator(set.version, diagnostics);
  validator.validate(main.value, { is: "object", kind: "document" }, { file: "", pointer: "" });
  await validateReferences(set, ways, validator);
  validateWhole(set, diagnostics);
  validateByStandard(main.value, set.version, standardSchema, diagnostics);
}
