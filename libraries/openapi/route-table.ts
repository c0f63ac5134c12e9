/** A pattern of the URL space with its value. Parameters are written `{name}` or `:name`, the rest of a path `*`. */
interface Route<Value> {
  /** Undefined: any method. */
  method: string | undefined;
  pattern: string;
  segments: string[];
  value: Value;
}

const isParameter = (segment: string) => /^[:{]/.test(segment);
const split = (path: string) => path.split("/").filter((segment) => segment !== "");

function fits(segments: string[], path: string[]): boolean {
  const open = segments.at(-1) === "*";
  if (open ? path.length < segments.length - 1 : path.length !== segments.length) return false;
  return segments.every((segment, index) => segment === "*" || isParameter(segment) || segment === path[index]);
}

/** Fewer parameters match more closely; open-ended patterns match last. */
const looseness = (segments: string[]) => segments.filter(isParameter).length + (segments.at(-1) === "*" ? 100 : 0);

/**
 * Finds the pattern that matches a path. Metrics are labelled by pattern, since paths contain ids, names and secrets.
 */
export class RouteTable<Value = undefined> {
  readonly #routes: Route<Value>[] = [];

  add(method: string | undefined, pattern: string, value: Value): void {
    const segments = split(pattern);
    this.#routes.push({ method: method?.toUpperCase(), pattern, segments, value });
    this.#routes.sort((a, b) => looseness(a.segments) - looseness(b.segments));
  }

  find(method: string, pathname: string): { pattern: string; value: Value } | undefined {
    const path = split(pathname);
    return this.#routes.find(
      (route) => (route.method === undefined || route.method === method) && fits(route.segments, path),
    );
  }
}
