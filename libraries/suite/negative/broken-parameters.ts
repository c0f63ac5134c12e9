import type { OperationParameter, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { isDescribedElsewhere, isFraming } from "#libraries/openapi/header-names.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import type { BrokenRule } from "./broken-rule.ts";
import { listBrokenTexts } from "./broken-texts.ts";
import type { BrokenValue } from "./broken-values.ts";
import { readPlainSchema } from "./plain-schema.ts";

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
  if (parameter.contentMediaType !== undefined) return [];
  const whole = readPlainSchema(parameter.schema, source);
  if (!whole) return [];
  const isList = getSchemaType(whole) === "array";
  // One item needs no delimiter.
  const isDelimited = isList && /Delimited$/.test(parameter.style);
  const isPlain = parameter.style === (parameter.in === "query" || parameter.in === "cookie" ? "form" : "simple");
  const schema = isList ? readPlainSchema(whole.items, source) : whole;
  if (!schema || !(isPlain || isDelimited)) return [];
  const path = isList ? [0] : [];
  const isAlone = (value: unknown) => {
    const faults = new ValueChecker("request", source).listFaults(isList ? [value] : value, parameter.schema);
    return faults.length === 1 && faults[0]!.path.length === path.length;
  };
  return listBrokenTexts(schema, source, (text) => arrives(text, parameter))
    .filter(({ value }) => isAlone(value))
    .map(({ broken, text }) => {
      const rank = broken.rank + (parameter.in === "path" ? -0.5 : parameter.required ? 0.5 : 1);
      return { ...toRule(parameter), path, keyword: broken.keyword, text, rank, name: nameOf(parameter, broken) };
    });
}

const toRule = (parameter: OperationParameter) => ({
  ...{ in: parameter.in as BrokenRule["in"], parameter: parameter.name, path: [] as (string | number)[] },
});

/** Whether a text arrives as it is. */
function arrives(text: string, { in: location, style }: OperationParameter): boolean {
  if (text.length > longestText || (/Delimited$/.test(style) && /[\s|]/.test(text))) return false;
  if (location === "path") return text !== "" && !/[/.\s]/.test(text);
  if (location === "query") return true;
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/[;,"]/.test(text);
}

/** "the query parameter limit is 0, at least 1", but "bookId is no UUID". */
function nameOf({ name, in: place }: OperationParameter, { words }: BrokenValue): string {
  return place === "path" || place === "query" ? `${name} ${words}` : `the ${place} ${name} ${words}`;
}
