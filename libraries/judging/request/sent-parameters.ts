import type { OperationParameter } from "#contracts/api-registry/operations.ts";
import { isRecord } from "../../json/json-value.ts";
import { isDescribedElsewhere } from "../../openapi/header-names.ts";
import { listSchemaTypes } from "../../openapi/parameter-value.ts";
import { listSchemasOf } from "../../openapi/sample/check-object.ts";
import { flattenSchema } from "../../openapi/schema-parts.ts";
import { readSentQuery, readSentText, type SentTexts, type Shape, splitQuery } from "../../openapi/sent-parameter.ts";
import type { JudgedResponse } from "../judged-response.ts";

export interface SentParameter {
  parameter: OperationParameter;
  isSent: boolean;
  /** As its schema sees it; undefined for a value in a form that is not read here. */
  value: unknown;
}

/** The documented parameters, with what was sent of them: single values, lists and flat objects, as their styles write them. */
export function listSentParameters({ operation, input }: JudgedResponse): SentParameter[] {
  const { request } = input;
  if (!operation || !request || !URL.canParse(request.url)) return [];
  const { components } = operation;
  const url = new URL(request.url);
  const query = splitQuery(url.search);
  const inPath = readPath(operation.operation.path, url.pathname);
  const cookies = new Map(
    request.headers
      .filter(([name]) => name.toLowerCase() === "cookie")
      .flatMap(([, text]) =>
        text.split(/;\s*/).map((pair): [string, string] => [pair.split("=")[0]!, pair.slice(pair.indexOf("=") + 1)]),
      ),
  );
  return operation.operation.parameters.flatMap((parameter): SentParameter[] => {
    if (parameter.in === "querystring" || (parameter.in === "header" && isDescribedElsewhere(parameter.name)))
      return [];
    const types = listSchemaTypes(parameter.schema, components);
    const shape = types.includes("object") ? "object" : types.includes("array") ? "array" : "primitive";
    const sent = find(parameter, shape);
    if (sent === "absent") return parameter.in === "path" ? [] : [{ parameter, isSent: false, value: undefined }];
    // Other parameters may be its members.
    if (sent === undefined && shape === "object") return [];
    const isRead = sent !== undefined && parameter.contentMediaType === undefined;
    return [{ parameter, isSent: true, value: isRead ? toValue(sent, parameter.schema, components) : undefined }];
  });

  function find(parameter: OperationParameter, shape: Shape): SentTexts | "absent" | undefined {
    const { in: place, name, style } = parameter;
    if (place === "query") return readSentQuery(parameter, query, shape);
    const text =
      place === "path"
        ? inPath.get(name)
        : place === "cookie"
          ? cookies.get(name)
          : request!.headers.find(([header]) => header.toLowerCase() === name.toLowerCase())?.[1];
    if (text === undefined) return shape === "object" && place === "cookie" ? undefined : "absent";
    if (place === "cookie" && (style !== "form" || shape !== "primitive")) return undefined;
    return readSentText(parameter, text, shape);
  }
}

type Components = Record<string, unknown>;

/** Texts as the types say; undefined where an item is itself a list or an object. */
function toValue(sent: SentTexts, schema: unknown, components: Components): unknown {
  if (sent.shape === "primitive") return readScalar(sent.text, schema, components);
  const flat = flattenSchema(schema, { find: (reference) => components[reference] });
  if (sent.shape === "array") return readAll(sent.items.map((text) => readScalar(text, flat?.items, components)));
  const members = [...sent.members].map(([name, text]): [string, unknown] => {
    return [name, readScalar(text, flat && listSchemasOf(name, flat)[0], components)];
  });
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

const readAll = (values: unknown[]) => (values.includes(undefined) ? undefined : values);

function readScalar(text: string, schema: unknown, components: Components): unknown {
  const types = isRecord(schema) ? listSchemaTypes(schema, components) : [];
  if (types.includes("array") || types.includes("object")) return undefined;
  const isNumber = types.includes("integer") || types.includes("number");
  if (isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  return types.includes("boolean") && /^(true|false)$/.test(text) ? text === "true" : text;
}

/** Values of a path's parameters as they were sent, of which each is a whole segment, or a part of one. */
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
  return new Map(found ? names.map((name, index): [string, string] => [name, found[index + 1]!]) : []);
}
