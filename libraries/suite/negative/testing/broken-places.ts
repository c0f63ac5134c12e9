import type { ErrorObject, ValidateFunction } from "ajv";
import { writePlaceholders } from "../../suggestion/body-placeholders.ts";

/** Places and keywords that ajv finds broken: of what may be null, without the alternative of null. */
export function listBrokenPlaces(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  const chosen = errors.some(isChoice) ? errors.filter((one) => !isChoice(one) && !isOfNull(one)) : errors;
  return [...new Set(chosen.map(({ instancePath, keyword, params }) => toPlace(instancePath, keyword, params)))];
}

const isChoice = ({ keyword }: ErrorObject) => keyword === "anyOf" || keyword === "oneOf";
const isOfNull = ({ params }: ErrorObject) => params.type === "null";

/** Both bounds of one value are different rules, both types of one are one. */
function toPlace(path: string, keyword: string, params: Record<string, unknown>): string {
  const member = keyword === "required" ? `/${params.missingProperty}` : "";
  return `${path}${member} ${keyword}`;
}

const standIns = [
  ...["3fa85f64-5717-4562-b3fc-2c963f66afa6", 1, "1", "a", "507f1f77bcf86cd799439011", "abc", "a@example.com", 100],
];

/** A row's text as values that it may be sent as: what a run captures is not known here. */
export function* readSent(text: string): Generator<unknown> {
  const generated = writePlaceholders(text)
    .replaceAll(/\{\{\$(uuid|guid)\}\}/g, "3fa85f64-5717-4562-b3fc-2c963f66afa6")
    .replaceAll("{{$timestamp}}", "1790000000")
    .replaceAll("{{$randomInt}}", "999");
  for (const standIn of standIns) {
    const quoted = generated.replaceAll(/"\{\{[\w.-]+\}\}"/g, JSON.stringify(standIn));
    const plain = quoted.replaceAll(/\{\{[\w.-]+\}\}/g, typeof standIn === "number" ? String(standIn) : "1");
    yield JSON.parse(plain);
  }
}
