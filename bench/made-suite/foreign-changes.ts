import type { RouteTable } from "#libraries/openapi/route-table.ts";
import type { Recorded } from "./recording-proxy.ts";

/** Every value in a JSON text that could identify something. */
function* valuesIn(value: unknown): Generator<string> {
  if (typeof value === "string" || typeof value === "number") yield String(value);
  else if (value && typeof value === "object") for (const item of Object.values(value)) yield* valuesIn(item);
}

function readValues(text: string): string[] {
  try {
    return [...valuesIn(JSON.parse(text))];
  } catch {
    return [];
  }
}

const isUnsafe = ({ method }: Recorded) => !["GET", "HEAD", "OPTIONS"].includes(method);
const succeeded = ({ status }: Recorded) => status >= 200 && status < 300;
const makes = ({ method }: Recorded) => method === "POST" || method === "PUT";

/** The value of the last parameter of a path template; undefined without one. */
function lastParameter(template: string, path: string): string | undefined {
  const segments = template.split("/");
  const index = segments.findLastIndex((segment) => segment.includes("{"));
  return index < 0 ? undefined : decodeURIComponent(path.split("/")[index] ?? "");
}

/**
 * Requests of one run that changed something which the run had not made, as `DELETE /todos/1`: those that succeeded on
 * an id that no successful POST or PUT before had sent or received, and a PUT, PATCH or DELETE of a whole collection or
 * singleton.
 * @param templates of the document, below its base path
 */
export function findForeignChanges(requests: Recorded[], templates: RouteTable<string>, basePath: string): string[] {
  const own = new Set<string>();
  const found: string[] = [];
  for (const request of requests) {
    if (!isUnsafe(request) || !succeeded(request)) continue;
    const [path = "", query = ""] = request.path.slice(basePath.length).split("?");
    const template = templates.find(request.method, path)?.pattern ?? path;
    const id = lastParameter(template, path);
    const given = [...readValues(request.body), ...new URLSearchParams(query).values()];
    const isOwn = id === undefined ? given.some((value) => own.has(value)) : own.has(id);
    const creates =
      makes(request) &&
      (request.method === "POST" && !template.endsWith("}")
        ? id === undefined || request.status === 201
        : id !== undefined && request.status === 201 && request.method === "PUT");
    if (!isOwn && !creates) found.push(`${request.method} ${path}`);
    if (!makes(request)) continue;
    const location = request.location?.split("/").at(-1);
    for (const value of [...given, ...readValues(request.responseBody), location ?? "", id ?? ""]) own.add(value);
  }
  return found;
}

/** Operations that answered with a 2xx, as `get /todos/{id}`. */
export function findAnswered(requests: Recorded[], templates: RouteTable<string>, basePath: string): Set<string> {
  const found = requests.filter(succeeded).flatMap(({ method, path }) => {
    const [pathname = ""] = path.slice(basePath.length).split("?");
    return templates.find(method, pathname)?.value ?? [];
  });
  return new Set(found);
}

/** What was there before and is otherwise now, and what was added. */
export function compareStates(before: Map<string, string>, after: Map<string, string>) {
  return {
    changed: [...before].filter(([name, value]) => after.get(name) !== value).map(([name]) => name),
    left: [...after.keys()].filter((name) => !before.has(name)),
  };
}
