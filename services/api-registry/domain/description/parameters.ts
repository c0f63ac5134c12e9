import type { OperationParameter, SchemaObject } from "#contracts/api-registry/operations.ts";
import { isRecord, type JsonRecord, toList, toRecord, toText } from "#libraries/json/json-value.ts";
import { resolve } from "../references/document-set.ts";
import { setSample } from "./content.ts";
import type { DescriptionContext } from "./context.ts";
import { describeExamples } from "./examples.ts";
import { describeSchema } from "./schemas.ts";

export interface FoundParameter {
  value: JsonRecord;
  file: string;
}

const parameterLocations = new Set(["path", "query", "header", "cookie", "querystring"]);
const maxParameters = 500;

/** Parameters of the path and of the operation; the operation's replace those with the same name and location. */
export function mergeParameters(
  ofPath: { value: unknown; file: string },
  ofOperation: { value: unknown; file: string },
  context: DescriptionContext,
): FoundParameter[] {
  const merged = new Map<string, FoundParameter>();
  for (const { value, file } of [ofPath, ofOperation]) {
    for (const raw of toList(value).slice(0, maxParameters)) {
      const target = resolve(context.set, { file, pointer: "", value: raw });
      if (!target || !isRecord(target.value)) continue;
      merged.set(`${toText(target.value.in)}\n${toText(target.value.name)}`, {
        value: target.value,
        file: target.file,
      });
    }
  }
  return [...merged.values()];
}

/**
 * One 3.x parameter; undefined for headers that the standard does not count as parameters, and for unknown locations.
 */
export function describeParameter(
  { value, file }: FoundParameter,
  context: DescriptionContext,
): OperationParameter | undefined {
  const location = toText(value.in) as OperationParameter["in"];
  const name = toText(value.name);
  if (!parameterLocations.has(location) || name === "") return undefined;
  if (location === "header" && /^(accept|content-type|authorization)$/i.test(name)) return undefined;
  const [contentEntry] = Object.entries(toRecord(value.content));
  const media = contentEntry ? resolve(context.set, { file, pointer: "", value: contentEntry[1] }) : undefined;
  const holder = media ? { value: toRecord(media.value), file: media.file } : { value, file };
  const style = getStyle(value.style, location);
  const parameter: OperationParameter = {
    name,
    in: location,
    required: location === "path" || value.required === true,
    deprecated: value.deprecated === true,
    description: toText(value.description),
    style,
    explode: typeof value.explode === "boolean" ? value.explode : style === "form" || style === "cookie",
    allowReserved: value.allowReserved === true && (location === "query" || context.set.version === "3.2"),
    examples: describeExamples(holder.value, holder.file, context.set),
  };
  if (value.allowEmptyValue === true && location === "query") parameter.allowEmptyValue = true;
  if (contentEntry) parameter.contentMediaType = contentEntry[0];
  if (holder.value.schema !== undefined) {
    parameter.schema = describeSchema(
      holder.value.schema,
      holder.file,
      context.components,
      context.dependencies,
    ) as SchemaObject;
  }
  setSample(parameter, parameter.examples, parameter.schema, "request", context);
  return parameter;
}

const stylesByLocation: Record<OperationParameter["in"], OperationParameter["style"][]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
  querystring: ["form"],
};

/** A style that is invalid for the location falls back to the location's default. */
function getStyle(style: unknown, location: OperationParameter["in"]): OperationParameter["style"] {
  const allowed = stylesByLocation[location];
  return allowed.includes(style as OperationParameter["style"]) ? (style as OperationParameter["style"]) : allowed[0]!;
}
