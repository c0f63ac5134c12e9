import type { OperationParameter } from "#contracts/api-registry/operations.ts";
import { isDescribedElsewhere } from "../../openapi/header-names.ts";
import { listSchemaTypes } from "../../openapi/parameter-value.ts";
import type { JudgedResponse } from "../judged-response.ts";

export interface SentParameter {
  parameter: OperationParameter;
  isSent: boolean;
  /** As its schema sees it; undefined for a value in a form that is not read here. */
  value: unknown;
}

/** The documented parameters, with what was sent of them: single values, and lists of them in a query. */
export function listSentParameters({ operation, input }: JudgedResponse): SentParameter[] {
  const { request } = input;
  if (!operation || !request || !URL.canParse(request.url)) return [];
  const url = new URL(request.url);
  const inPath = readPath(operation.operation.path, url.pathname);
  const cookies = new Map(
    request.headers
      .filter(([name]) => name.toLowerCase() === "cookie")
      .flatMap(([, text]) =>
        text.split(/;\s*/).map((pair): [string, string] => [pair.split("=")[0]!, pair.slice(pair.indexOf("=") + 1)]),
      ),
  );
  const find = ({ in: place, name }: OperationParameter): string[] => {
    if (place === "path") return inPath.has(name) ? [inPath.get(name)!] : [];
    if (place === "query") return url.searchParams.getAll(name);
    if (place === "cookie") return cookies.has(name) ? [cookies.get(name)!] : [];
    return request.headers.flatMap(([header, text]) => (header.toLowerCase() === name.toLowerCase() ? [text] : []));
  };
  return operation.operation.parameters.flatMap((parameter) => {
    if (parameter.in === "querystring" || (parameter.in === "header" && isDescribedElsewhere(parameter.name)))
      return [];
    // Objects are written as other parameters.
    if (parameter.in === "query" && !["form", "spaceDelimited", "pipeDelimited"].includes(parameter.style)) return [];
    const texts = find(parameter);
    const types = listSchemaTypes(parameter.schema, operation.components);
    if (types.includes("object")) return [];
    if (parameter.in === "path" && texts.length === 0) return [];
    return [{ parameter, isSent: texts.length > 0, value: readValue(parameter, texts, types) }];
  });
}

function readValue(
  { in: place, style, schema, contentMediaType }: OperationParameter,
  texts: string[],
  types: string[],
): unknown {
  const [text] = texts;
  const isPlain = style === (place === "query" || place === "cookie" ? "form" : "simple");
  if (text === undefined || !isPlain || contentMediaType !== undefined) return undefined;
  if (!types.includes("array")) return texts.length === 1 ? readScalar(text, types) : undefined;
  const items = typeof schema === "object" ? schema.items : undefined;
  if (place !== "query" || texts.some((one) => one.includes(","))) return undefined;
  return texts.map((one) => readScalar(one, listSchemaTypes(items, {})));
}

function readScalar(text: string, types: readonly string[]): unknown {
  const isNumber = types.includes("integer") || types.includes("number");
  if (isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  return types.includes("boolean") && /^(true|false)$/.test(text) ? text === "true" : text;
}

/** Values of a path's parameters, of which each is a whole segment, or a part of one. */
function readPath(template: string, pathname: string): Map<string, string> {
  const names: string[] = [];
  const [path = ""] = template.split(/[?#]/);
  const pattern = path
    .split(/(\{[^{}]+\})/)
    .map((part) => {
      if (!/^\{.*\}$/.test(part)) return encodeURI(part).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      names.push(part.slice(1, -1));
      return "([^/]+)";
    })
    .join("");
  const found = new RegExp(`${pattern}/?$`).exec(pathname);
  return new Map(found ? names.map((name, index): [string, string] => [name, decode(found[index + 1]!)]) : []);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
