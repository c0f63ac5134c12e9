import type { Json } from "../../json/json.ts";
import { type JsonRecord, toList } from "../../json/json-value.ts";
import { characterCount } from "../../openapi/sample/check-scalar.ts";
import { cut, describeValue, nameOfType } from "../describe-value.ts";

const formatWords: Record<string, string> = {
  uuid: "a UUID",
  date: "a date",
  "date-time": "a date and time",
  email: "an email address",
  uri: "a URI",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  int32: "a whole number of 32 bits",
};

/**
 * What is documented where a value breaks a keyword, as the end of a sentence: "a string is documented".
 * @param keyword as `ValueChecker` reports it
 */
export function explainFault(keyword: string, schema: JsonRecord, value: unknown): string {
  switch (keyword) {
    case "type": {
      const types = [schema.type].flat().filter((one): one is string => typeof one === "string");
      return types.length === 0 ? other : `${types.map(nameOfType).join(" or ")} is documented`;
    }
    case "enum": {
      const listed = toList(schema.enum).slice(0, 10);
      return listed.length === 0
        ? other
        : `only ${listed.map((one) => describeValue(one as Json)).join(", ")} are documented`;
    }
    case "const":
      return schema.const === undefined ? other : `only ${describeValue(schema.const as Json)} is documented`;
    case "bounds":
      return explainBounds(schema, Number(value));
    case "multipleOf":
      return `a multiple of ${schema.multipleOf} is documented`;
    case "length":
      return explainSize(characterCount(String(value)), [schema.minLength, schema.maxLength], "character");
    case "items":
      return explainSize(toList(value).length, [schema.minItems, schema.maxItems], "item");
    case "uniqueItems":
      return "no equal items are documented";
    case "pattern":
      return typeof schema.pattern === "string" ? `\`${cut(schema.pattern, 200)}\` is documented` : other;
    case "format":
      return `${formatWords[String(schema.format)] ?? `the format ${cut(String(schema.format), 100)}`} is documented`;
    case "false":
      return "no such member is documented";
    default:
      return other;
  }
}

const other = "the document does not allow it";

function explainBounds(schema: JsonRecord, value: number): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    return `more than ${exclusiveMinimum} is documented`;
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    return `less than ${exclusiveMaximum} is documented`;
  if (typeof minimum === "number" && value <= minimum)
    return `${exclusiveMinimum === true ? "more than" : "at least"} ${minimum} is documented`;
  if (typeof maximum === "number" && value >= maximum)
    return `${exclusiveMaximum === true ? "less than" : "at most"} ${maximum} is documented`;
  return other;
}

function explainSize(size: number, [minimum, maximum]: unknown[], unit: string): string {
  const count = (limit: number) => `${limit} ${unit}${limit === 1 ? " is" : "s are"} documented`;
  if (typeof minimum === "number" && size < minimum) return `at least ${count(minimum)}`;
  return typeof maximum === "number" && size > maximum ? `at most ${count(maximum)}` : other;
}
