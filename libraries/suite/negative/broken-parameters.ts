import type { OperationParameter, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { isDescribedElsewhere, isFraming } from "#libraries/openapi/header-names.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { listBrokenItems, listBrokenMembers } from "./broken-parameter-parts.ts";
import type { BrokenRule } from "./broken-rule.ts";
import { listBrokenTexts } from "./broken-texts.ts";
import { arrives, breaksAt, toBrokenParameter, toRule } from "./parameter-rule.ts";
import { readPlainSchema } from "./plain-schema.ts";

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
  const schema = readPlainSchema(parameter.schema, source);
  if (!schema) return [];
  const type = getSchemaType(schema);
  if (type === "array") return listBrokenItems(parameter, schema, source);
  if (type === "object") return listBrokenMembers(parameter, schema, source);
  if (!scalarStyles[parameter.in]?.includes(parameter.style)) return [];
  return listBrokenTexts(schema, source, (text) => arrives(text, parameter))
    .filter(({ value }) => breaksAt([], value, parameter, source))
    .map(({ broken, text }) => toBrokenParameter(parameter, [], broken, text));
}

const scalarStyles: Record<string, string[] | undefined> = {
  path: ["simple", "label", "matrix"],
  query: ["form"],
  header: ["simple"],
  cookie: ["form"],
};
