import type { OperationParameter } from "../../../api-registry/contract/operations.ts";

export interface Row {
  name: string;
  value: string;
}

type Style = Pick<OperationParameter, "name" | "in" | "style" | "explode" | "contentMediaType">;

function scalar(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const delimiters: Partial<Record<OperationParameter["style"], string>> = {
  spaceDelimited: " ",
  pipeDelimited: "|",
  tabDelimited: "\t",
};

/** `a,1,b,2`, or `a=1,b=2` when exploded. */
function joinMembers(value: Record<string, unknown>, explode: boolean, between: string): string {
  return Object.entries(value)
    .map(([name, member]) => (explode ? `${name}=${scalar(member)}` : `${name},${scalar(member)}`))
    .join(between);
}

function serializeInPath({ name, style, explode }: Style, value: unknown): string {
  if (style === "matrix") {
    if (Array.isArray(value)) {
      return explode
        ? value.map((item) => `;${name}=${scalar(item)}`).join("")
        : `;${name}=${value.map(scalar).join(",")}`;
    }
    if (!isObject(value)) return `;${name}=${scalar(value)}`;
    return explode ? `;${joinMembers(value, true, ";")}` : `;${name}=${joinMembers(value, false, ",")}`;
  }
  const prefix = style === "label" ? "." : "";
  const between = style === "label" && explode ? "." : ",";
  if (Array.isArray(value)) return prefix + value.map(scalar).join(between);
  return prefix + (isObject(value) ? joinMembers(value, explode, between) : scalar(value));
}

function serializeInQuery({ name, style, explode }: Style, value: unknown): Row[] {
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => ({ name, value: scalar(item) }));
    return [{ name, value: value.map(scalar).join(delimiters[style] ?? ",") }];
  }
  if (!isObject(value)) return [{ name, value: scalar(value) }];
  if (style === "deepObject") {
    return Object.entries(value).map(([member, inner]) => ({ name: `${name}[${member}]`, value: scalar(inner) }));
  }
  if (explode) return Object.entries(value).map(([member, inner]) => ({ name: member, value: scalar(inner) }));
  return [{ name, value: joinMembers(value, false, delimiters[style] ?? ",") }];
}

/** A parameter's value as rows of a request, by its style (OpenAPI, Parameter Object). */
export function serializeParameter(parameter: Style, value: unknown): Row[] {
  const { name } = parameter;
  if (parameter.in === "querystring") {
    return isObject(value)
      ? Object.entries(value).map(([member, inner]) => ({ name: member, value: scalar(inner) }))
      : [];
  }
  if (parameter.contentMediaType !== undefined) {
    return [{ name, value: typeof value === "string" ? value : JSON.stringify(value) }];
  }
  if (parameter.in === "path") return [{ name, value: serializeInPath(parameter, value) }];
  if (parameter.in === "header") {
    if (isObject(value)) return [{ name, value: joinMembers(value, parameter.explode, ",") }];
    return [{ name, value: Array.isArray(value) ? value.map(scalar).join(",") : scalar(value) }];
  }
  return serializeInQuery(parameter, value);
}
