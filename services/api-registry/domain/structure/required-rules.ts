import { getMember, isRecord, type JsonRecord } from "#libraries/json/json-value.ts";
import { type DocumentLocation, quoted } from "../diagnostics.ts";
import { childPointer } from "../references/pointer.ts";
import type { Walk } from "./rule.ts";
import { describeKind } from "./wording.ts";

const combining = ["allOf", "anyOf", "oneOf", "$ref", "patternProperties", "if", "dependentSchemas"];

/** `required` is a list of names that exist. */
export function validateRequired(
  value: JsonRecord,
  location: DocumentLocation,
  { diagnostics, version }: Walk,
  isModern: boolean,
): void {
  const { required } = value;
  if (required === undefined) return;
  const at = { file: location.file, pointer: childPointer(location.pointer, "required") };
  if (!Array.isArray(required)) {
    const advice =
      typeof required === "boolean" ? " List the names of required properties in the object that has them." : "";
    diagnostics.error(
      at,
      `"required" of a schema has to be a list of property names, and is ${describeKind(required)}.${advice}`,
    );
    return;
  }
  if (required.length === 0 && !isModern)
    diagnostics.warn(at, `"required" is empty; OpenAPI ${version} wants it left out then.`);
  // One part of a combination may require a property that another part describes.
  const isOpen =
    /\/(allOf|anyOf|oneOf)\/\d+$/.test(location.pointer) || combining.some((word) => Object.hasOwn(value, word));
  const properties = getMember(value, "properties");
  for (const [index, name] of required.entries()) {
    const item = { file: at.file, pointer: childPointer(at.pointer, index) };
    if (typeof name !== "string")
      diagnostics.error(item, `"required" lists names of properties, and this is ${describeKind(name)}.`);
    else if (isRecord(properties) && !isOpen && !Object.hasOwn(properties, name)) {
      diagnostics.warn(
        item,
        `${quoted(name)} is required, but it is not one of the "properties". Add it there, or remove it here.`,
        'Some required names are not among the "properties". Add them there, or remove them here.',
      );
    }
  }
}
