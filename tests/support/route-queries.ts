import { vi } from "vitest";
import { encodeCursor } from "../../services/kit/database/keyset.ts";
import type { FormPage } from "./form-page.ts";
import type { RouteAttempt } from "./route-attempts.ts";
import type { Ids } from "./tried-operations.ts";
import { cursorNames, plainQueryNames } from "./tried-routes.ts";

const marker = "asked-by-a-test";

/** An address with additional query parameters. */
export const withQuery = (address: string, query: Record<string, string>) =>
  `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams(query)}`;

/** The names of the query parameters that a page reads. */
export async function namesLookedFor(address: string, open: (address: string) => Promise<FormPage>) {
  const names = new Set<string>();
  const { has } = URLSearchParams.prototype;
  const spies = (["get", "getAll", "has"] as const).map((method) => {
    const real = URLSearchParams.prototype[method] as (...requested: string[]) => never;
    return vi.spyOn(URLSearchParams.prototype, method).mockImplementation(function (
      this: URLSearchParams,
      ...requested
    ) {
      // Other queries are read in this process, too.
      if (has.call(this, marker)) names.add(requested[0]);
      return real.call(this, ...(requested as string[]));
    });
  });
  try {
    const { status } = await open(withQuery(address, { [marker]: "1" }));
    return { names: [...names], status };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Those that might select something by id, and that no attempt uses. */
export const getUntried = (names: readonly string[], requested: readonly string[]) =>
  names.filter((name) => !requested.includes(name) && !plainQueryNames.has(name) && !cursorNames.includes(name));

/** Names of the parameters in the query of an attempt. */
export const getQueryNames = ({ address }: RouteAttempt, ids: Ids) => [
  ...new URL(address(ids), "http://page.invalid").searchParams.keys(),
];

/** The smallest and the largest value of each sort key, and the position of a resource's id or name. */
const kinds = {
  word: ["", "\u{10fffd}"],
  id: ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
  moment: ["1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"],
  number: [0, 2_000_000_000],
} as const;

/** The sort keys of list cursors. */
export const cursorShapes: (keyof typeof kinds)[][] = [
  ...([["word"], ["id"], ["number"], ["word", "id"], ["moment", "id"], ["number", "id"], ["word", "word"]] as const),
  ...([
    ["moment", "word"],
    ["word", "word", "id"],
    ["number", "number", "word", "id"],
  ] as const),
].map((shape) => [...shape]);
type Shape = (typeof cursorShapes)[number];

export const firstCursor = (shape: Shape) => encodeCursor(shape.map((kind) => kinds[kind][0]));

/** After the last row, and at each of these resources. */
export const otherCursors = (shape: Shape, things: readonly string[]) => [
  encodeCursor(shape.map((kind) => kinds[kind][1])),
  ...things.map((thing) => encodeCursor(shape.map((kind) => (/word|id/.test(kind) ? thing : kinds[kind][0])))),
];

/** Of the length that a list expects, and empty. */
export const senselessCursors = (shape: Shape) => [
  ...["senseless", encodeCursor([])],
  ...["no id'><", "\u0000", null, 1e300].map((value) => encodeCursor(shape.map(() => value))),
];

/** The first that satisfies the condition. */
export async function findFirst<One>(all: readonly One[], holds: (one: One) => Promise<boolean>) {
  for (const one of all) if (await holds(one)) return one;
  return undefined;
}
