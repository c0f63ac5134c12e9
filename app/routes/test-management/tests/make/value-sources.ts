import type { Suggestion } from "#contracts/test-analyzer/suggestions.ts";
import type { OperationKey } from "~/features/operation/operation-key";

/** The source of a value: the parameter of an operation that requires it. */
export interface ValueUse {
  variable: string;
  parameter: string;
  /** The operation's path template. */
  path: string;
}

/** An operation that probably returns the value. */
export interface ValueSource {
  use: ValueUse;
  from: OperationKey;
}

const maxSources = 3;
/** Names of identifiers, for rows without a member named like the value. */
const keys = ["id", "uuid", "guid", "key", "slug", "code", "number", "name"];

const plain = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
const isNamedAfter = (word: string, thing: string) =>
  [thing, `${thing}s`, `${thing}es`, thing.replace(/y$/, "ies")].includes(word);

/** `/projects` for `/projects/{projectId}/tasks`: the list of the resources that the parameter identifies. */
export function getCollection({ parameter, path }: ValueUse): string | undefined {
  const at = path.indexOf(`/{${parameter}}`);
  return at > 0 ? path.slice(0, at) : undefined;
}

/** `project` for `projectId`; "" for a name without a resource. */
function getThing(variable: string): string {
  const name = plain(variable);
  const key = keys.find((one) => name.endsWith(one));
  return key ? name.slice(0, -key.length) : name;
}

/** Whether an operation lists the value's resources, judged by its path. */
function listsThem(path: string, use: ValueUse): boolean {
  if (path.replace(/\/$/, "") === getCollection(use)) return true;
  const last = plain(path.split("/").filter(Boolean).at(-1) ?? "");
  const thing = getThing(use.variable);
  return !path.endsWith("}") && thing !== "" && isNamedAfter(last, thing);
}

/**
 * The member of a row with the value: one of the parameter's name (`projectId`, `project_id`, `project.id`), else, in a
 * list of these resources, their identifier.
 */
export function memberFor(names: readonly string[], use: ValueUse, path: string): string | undefined {
  const own = getThing(use.variable) === "" ? [] : [plain(use.variable)];
  const wanted = [...own, ...(listsThem(path, use) ? [plain(use.parameter), ...keys] : [])];
  for (const want of wanted) {
    const found = names.find((name) => plain(name) === want);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** GET operations that probably return a value, best first; none that lacks a value. */
export function getSources(
  use: ValueUse,
  suggestions: readonly Suggestion[],
  given: Readonly<Record<string, string>>,
): ValueSource[] {
  const collection = getCollection(use);
  const rank = (path: string) => (path.replace(/\/$/, "") === collection ? 0 : listsThem(path, use) ? 1 : 2);
  return suggestions
    .filter(({ test, values, gaps }) => {
      const canBeSent = test.method === "get" && gaps.length === 0;
      return canBeSent && values.every(({ name }) => name !== use.variable && Object.hasOwn(given, name));
    })
    .filter(({ test, gives }) => {
      // Many documents leave out the schema of a response.
      return gives.length > 0 ? memberFor(gives, use, test.path) !== undefined : listsThem(test.path, use);
    })
    .map(({ test: { method, path } }) => ({ use, from: { method, path } }))
    .sort(({ from: one }, { from: other }) => rank(one.path) - rank(other.path) || one.path.length - other.path.length)
    .slice(0, maxSources);
}
