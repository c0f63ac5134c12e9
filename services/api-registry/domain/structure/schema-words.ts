import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import { type DocumentLocation, quoted } from "../diagnostics.ts";
import { childPointer } from "../references/pointer.ts";
import type { Walk } from "./rule.ts";
import { likelyWord } from "./wording.ts";

const words20 =
  "$ref title description default multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties minProperties required enum type items allOf properties additionalProperties format discriminator readOnly xml externalDocs example".split(
    " ",
  );
const words30 = [...words20, ..."oneOf anyOf not nullable writeOnly deprecated".split(" ")];
const words31 = [
  ...words30,
  ..."$id $schema $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs definitions const examples contentMediaType contentEncoding contentSchema if then else contains minContains maxContains prefixItems additionalItems patternProperties propertyNames dependentSchemas dependentRequired dependencies unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
];
const wordsByVersion: Record<SpecificationVersion, Set<string>> = {
  "2.0": new Set(words20),
  "3.0": new Set(words30),
  "3.1": new Set(words31),
  "3.2": new Set(words31),
};
const later = new Set(words31);

/**
 * Keywords of a schema that its version does not define. Up to 3.0 no others are allowed; from 3.1 on any are, so only
 * likely misspellings are reported.
 */
export function validateSchemaWords(
  value: JsonRecord,
  location: DocumentLocation,
  { diagnostics, version }: Walk,
): void {
  const known = wordsByVersion[version];
  const isModern = version === "3.1" || version === "3.2";
  for (const word of Object.keys(value)) {
    if (known.has(word) || word.startsWith("x-")) continue;
    const at = { file: location.file, pointer: childPointer(location.pointer, word) };
    const likely = likelyWord(word, known);
    const advice = likely ? ` Did you mean "${likely}"?` : "";
    if (isModern) {
      if (likely) diagnostics.warn(at, `${quoted(word)} is no word of JSON Schema, so it is not looked at.${advice}`);
    } else if (later.has(word)) {
      diagnostics.warn(at, `OpenAPI ${version} does not know "${word}" in schemas, so it is not looked at.`);
    } else {
      const remove = advice || ' Remove it, or start its name with "x-" if it is an extension.';
      diagnostics.error(at, `${quoted(word)} is no word of a schema in OpenAPI ${version}.${remove}`);
    }
  }
}
