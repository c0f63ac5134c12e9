import type { OperationParameter, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import { isDescribedElsewhere, isFraming } from "#libraries/openapi/header-names.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import type { BrokenRule } from "./broken-rule.ts";
import { type BrokenValue, listBrokenValues } from "./broken-values.ts";
import { breaksOnly, readPlainSchema } from "./plain-schema.ts";

/** Characters: a longer address is refused as such. */
const longestText = 1_000;

/**
 * The rules of parameters that a request can break one by one. All of a request's head is text: a number is no wrong
 * value of a string. A path names what exists: its values are changed only where nothing is.
 */
export function listBrokenParameters({
  operation,
  components,
  securitySchemes,
}: OperationWithComponents): BrokenRule[] {
  const source: SampleSource = { find: (reference) => components[reference] };
  const proving = new Set(securitySchemes.map((one) => `${one.in} ${one.parameterName?.toLowerCase()}`));
  return operation.parameters.flatMap((parameter) => {
    const { name } = parameter;
    if (parameter.in === "querystring" || proving.has(`${parameter.in} ${name.toLowerCase()}`)) return [];
    if (parameter.in === "header" && (isDescribedElsewhere(name) || isFraming(name))) return [];
    if (parameter.in === "path" && !isSafe(operation.method)) return [];
    return [...listMissing(parameter), ...listWrong(parameter, source)];
  });
}

const placeWords = { query: "query parameter", header: "header", cookie: "cookie" } as const;

function listMissing(parameter: OperationParameter): BrokenRule[] {
  if (!parameter.required || parameter.in === "path" || parameter.in === "querystring") return [];
  const name = `the ${placeWords[parameter.in]} ${parameter.name} is missing`;
  return [{ ...toRule(parameter), name, keyword: "required", text: undefined, rank: 0 }];
}

function listWrong(parameter: OperationParameter, source: SampleSource): BrokenRule[] {
  const isPlain = parameter.style === (parameter.in === "query" || parameter.in === "cookie" ? "form" : "simple");
  if (!isPlain || parameter.contentMediaType !== undefined) return [];
  const whole = readPlainSchema(parameter.schema, source);
  if (!whole) return [];
  const isList = getSchemaType(whole) === "array";
  const schema = isList ? readPlainSchema(whole.items, source) : whole;
  const type = schema && getSchemaType(schema);
  if (!schema || type === undefined || !["string", "integer", "number", "boolean"].includes(type)) return [];
  const found = new Map<string, BrokenRule>();
  for (const broken of listBrokenValues(withTextOf(schema))) {
    if (found.has(broken.rule)) continue;
    const value = broken.change(undefined);
    const text = toText(value, parameter, type);
    if (text === undefined) continue;
    if (!breaksOnly(value, broken.keyword, schema, source)) continue;
    const path = isList ? [0] : [];
    const faults = new ValueChecker("request", source).listFaults(isList ? [value] : value, parameter.schema);
    const [fault] = faults;
    if (faults.length !== 1 || fault!.path.length !== path.length) continue;
    const rank = broken.rank + (parameter.in === "path" ? -0.5 : parameter.required ? 0.5 : 1);
    const rule = { ...toRule(parameter), path, keyword: broken.keyword, text, rank };
    found.set(broken.rule, { ...rule, name: nameOf(parameter, broken) });
  }
  return [...found.values()];
}

const toRule = (parameter: OperationParameter) => ({
  ...{ in: parameter.in as BrokenRule["in"], parameter: parameter.name, path: [] as (string | number)[] },
});

/** Without what has no text of its own, such as null. */
function withTextOf(schema: JsonRecord): JsonRecord {
  return { ...schema, nullable: true };
}

/** Undefined for a value that would be read as one of the documented type, or that would not arrive as it is. */
function toText(value: unknown, parameter: OperationParameter, type: string): string | undefined {
  if (typeof value === "object") return undefined;
  const text = String(value);
  // A number or a boolean is a string there.
  if (type === "string" && typeof value !== "string") return undefined;
  if (type !== "string" && typeof value === "boolean") return undefined;
  if (text.length > longestText) return undefined;
  if (parameter.in === "path") return text === "" || /[/.\s]/.test(text) ? undefined : text;
  if (parameter.in === "query") return text;
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/[;,"]/.test(text) ? text : undefined;
}

/** "the query parameter limit is 0, at least 1", but "bookId is no UUID". */
function nameOf({ name, in: place }: OperationParameter, { words }: BrokenValue): string {
  return place === "path" || place === "query" ? `${name} ${words}` : `the ${place} ${name} ${words}`;
}
