import { type FoundResource, parameterOf, toKey } from "./find-resources.ts";
import { toJsonPath } from "./members.ts";
import type { LinkFacts, OperationFacts } from "./operation-facts.ts";

/** A link of the document, read: a response's value that another operation takes. */
export interface ReadLink {
  name: string;
  from: OperationFacts;
  value: { from: "body"; path: string } | { from: "location" };
  to: OperationFacts;
  in: "path" | "query" | "header" | "cookie" | "body";
  parameter: string;
  /** Key of the resource whose identifier it is, where the parameter is in the path. */
  resource: string | undefined;
}

/** Links with a runtime expression that reads a response; others give no new value. */
export function readLinks(
  operations: readonly OperationFacts[],
  found: ReadonlyMap<string, FoundResource>,
): ReadLink[] {
  const withLinks = operations.filter(({ links }) => links.length > 0);
  if (withLinks.length === 0) return [];
  const byId = new Map(operations.map((operation) => [operation.operationId ?? "", operation]));
  const byPath = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
  return withLinks.flatMap((from) =>
    from.links.flatMap((link) => {
      const to = byPath.get(toOperation(link.to)) ?? byId.get(link.to);
      return to ? link.parameters.flatMap((entry) => toReadLink(from, link, to, entry, found)) : [];
    }),
  );
}

/** `get /books/{id}` for `#/paths/~1books~1{id}/get`, whatever document stands before it. */
function toOperation(reference: string): string {
  const [, path, method] = /#\/paths\/([^/]+)\/([^/]+)$/.exec(reference) ?? [];
  if (path === undefined) return "";
  return `${method} ${decode(path).replaceAll("~1", "/").replaceAll("~0", "~")}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function toReadLink(
  from: OperationFacts,
  { name }: LinkFacts,
  to: OperationFacts,
  [written, expression]: [string, string],
  found: ReadonlyMap<string, FoundResource>,
): ReadLink[] {
  const value = readExpression(expression);
  if (!value) return [];
  // "path.id" tells two parameters of one name apart.
  const [, location, inLocation] = /^(path|query|header|cookie)\.(.+)$/.exec(written) ?? [];
  const parameter = to.parameters.find(
    (one) => (one.name === written || (one.name === inLocation && one.in === location)) && one.in !== "querystring",
  );
  if (!parameter || parameter.in === "querystring") return [];
  const at = to.segments.findIndex((segment) => parameterOf(segment) === parameter.name);
  const resource = parameter.in === "path" && at >= 0 ? toKey(to.segments.slice(0, at + 1)) : undefined;
  if (resource !== undefined && !found.has(resource)) return [];
  return [{ name, from, value, to, in: parameter.in, parameter: parameter.name, resource }];
}

/** `$response.body#/items/0/id` as a JSONPath. */
function readExpression(expression: string): ReadLink["value"] | undefined {
  const text = expression.replace(/^\{(.*)\}$/s, "$1");
  if (/^\$response\.header\.location$/i.test(text)) return { from: "location" };
  const [, pointer] = /^\$response\.body#(.*)$/s.exec(text) ?? [];
  if (pointer === undefined) return undefined;
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return { from: "body", path: toJsonPath(steps).replace(/\.(\d+)(?=[.[]|$)|\['(\d+)'\]/g, "[$1$2]") };
}
