import type { ErrorObject } from "ajv";
import type { Json } from "../../json/json.ts";
import { cut, describeValue, describeWithType, nameOfType, quote, type Show } from "../describe-value.ts";
import { neverInResponses } from "./normalize-schema.ts";

type Params = Record<string, unknown>;

function plural(limit: unknown, one: string, many = `${one}s`): string {
  return `${limit} ${limit === 1 ? one : many}`;
}

function size(value: unknown): number {
  if (typeof value === "string") return [...value].length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

const formatNames: Record<string, string> = {
  "date-time": "a date and time, e.g. 2026-01-31T09:30:00Z",
  date: "a date, e.g. 2026-01-31",
  time: "a time, e.g. 09:30:00Z",
  email: "an email address",
  uuid: "a UUID",
  uri: "a URI",
  int32: "a whole number of 32 bits",
  int64: "a whole number of 64 bits",
  byte: "Base64",
};

const bounds: Record<string, string> = {
  minimum: "a number of at least",
  maximum: "a number of at most",
  exclusiveMinimum: "a number greater than",
  exclusiveMaximum: "a number less than",
};

const sizes: Record<string, { one: string; many: string; side: "least" | "most" }> = {
  minLength: { one: "character", many: "characters", side: "least" },
  maxLength: { one: "character", many: "characters", side: "most" },
  minItems: { one: "item", many: "items", side: "least" },
  maxItems: { one: "item", many: "items", side: "most" },
  minProperties: { one: "member", many: "members", side: "least" },
  maxProperties: { one: "member", many: "members", side: "most" },
};

/** The expected and the actual value, without the location; `{ keyword, params, schema, data }` are ajv's. */
export function faultMessage(error: ErrorObject, show: Show): string {
  const params = error.params as Params;
  const value = error.data as Json;
  const found = () => `found ${describeWithType(value, show)}`;
  const { keyword } = error;
  const sized = sizes[keyword];
  if (sized) {
    const expected = plural(params.limit, sized.one, sized.many);
    return `expected at ${sized.side} ${expected}, found ${plural(size(value), sized.one, sized.many)}`;
  }
  if (bounds[keyword]) return `expected ${bounds[keyword]} ${params.limit}, found ${describeValue(value, show)}`;
  switch (keyword) {
    case "type":
      return `expected ${[params.type].flat().map(String).map(nameOfType).join(" or ")}, ${found()}`;
    case "required":
      return `the required member ${quote(params.missingProperty)} is missing`;
    case "enum":
      return `expected one of ${(params.allowedValues as Json[])
        .slice(0, 20)
        .map((item) => describeValue(item))
        .join(", ")}, ${found()}`;
    case "const":
      return `expected ${describeValue(params.allowedValue as Json)}, ${found()}`;
    case "format": {
      const format = String(params.format);
      return `expected ${formatNames[format] ?? `the format ${cut(format, 100)}`}, ${found()}`;
    }
    case "pattern":
      return `expected a text that matches ${cut(String(params.pattern), 200)}, ${found()}`;
    case "multipleOf":
      return `expected a multiple of ${params.multipleOf}, found ${describeValue(value, show)}`;
    case "additionalProperties":
      return `the member ${quote(params.additionalProperty, show)} is not documented, and no others are allowed`;
    case "unevaluatedProperties":
      return `the member ${quote(params.unevaluatedProperty, show)} is not documented, and no others are allowed`;
    case "additionalItems":
    case "unevaluatedItems":
    case "items":
      return `expected at most ${plural(params.limit ?? params.len, "item")}, found ${plural(size(value), "item")}`;
    case "uniqueItems":
      return `expected items that differ, but items ${params.j} and ${params.i} are equal`;
    case "oneOf": {
      const passing = params.passingSchemas as number[] | null;
      if (passing)
        return `expected to match one alternative only, but matches several (${passing.map((at) => at + 1).join(" and ")})`;
      return `expected to match one of ${(error.schema as unknown[]).length} alternatives, but matches none`;
    }
    case "anyOf":
      return `expected to match one of ${(error.schema as unknown[]).length} alternatives, but matches none`;
    case "not":
      return `expected anything but what the schema excludes, ${found()}`;
    case "contains":
      return "expected an item that matches what must be contained, but none does";
    case "dependentRequired":
      return `${quote(params.property)} is there, so ${cut(String(params.deps), 200)} must be too`;
    case "propertyNames":
      return `the member name ${quote(params.propertyName, show)} is not allowed`;
    case neverInResponses:
      return "the member is write-only, so a response must not have it";
    case "false schema":
      return "nothing is allowed here";
    default:
      return `${error.message ?? keyword}, ${found()}`;
  }
}
