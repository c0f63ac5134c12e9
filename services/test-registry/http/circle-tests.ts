import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { type CursorKind, type CursorValues, pageFrom, readCursor } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { type ResolvedMember, toSortKey } from "../domain/circle-members.ts";
import { type CircleTest, readTests } from "../store/circle-tests.ts";
import { listScheduledPlaces } from "../store/scheduled-places.ts";
import type { TestDatabase } from "../store/tables.ts";
import type { TestRow } from "../store/tests.ts";
import type { OpenCircles } from "./opened-circles.ts";
import { resolveCircle, toOwnedTests } from "./resolved-circles.ts";
import { toTest } from "./tests.ts";

type CircleTestHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  "listTestsOfCircle" | "openCircles" | "listScheduledPlaces"
>;

/** Parts of a sort key. */
const keyKinds: CursorKind[] = ["position", "position", "text", "id"];

/**
 * Selections change while a list is read: the next page starts after the position of the last test, even if that was
 * deleted.
 */
function isBehind(key: CursorValues, after: CursorValues): boolean {
  const differing = key.findIndex((value, index) => value !== after[index]);
  return differing >= 0 && key[differing]! > after[differing]!;
}

/** Definitions of tests; tests deleted after resolving are omitted. */
function displayedTests(locations: ResolvedMember<CircleTest>[], tests: Map<string, TestRow>) {
  return locations.flatMap(({ phase, test }) => {
    const whole = tests.get(test.id);
    return whole ? [{ phase, test: toTest(whole) }] : [];
  });
}

/** Creates the handlers that list the tests which a circle would run now. */
export function createCircleTestHandlers({
  db,
  openCircles,
}: {
  db: TestDatabase;
  openCircles: OpenCircles;
}): CircleTestHandlers {
  return {
    async listTestsOfCircle({ caller: { organizationId }, params, query }) {
      const { row, running } = await resolveCircle(db, organizationId, params.testCircleId);
      const after = query.cursor === undefined ? undefined : readCursor(query.cursor, keyKinds);
      const rest = after ? running.filter((location) => isBehind(toSortKey(location), after)) : running;
      const { items, nextCursor } = pageFrom(rest, query.limit, toSortKey, (location) => location);
      return {
        items: displayedTests(items, await readTests(db, toOwnedTests({ row, running: items }))),
        nextCursor,
        version: row.version,
      };
    },

    openCircles: async ({ body: { items } }) => ({ items: await openCircles(items) }),

    listScheduledPlaces: async ({ caller }) => ({ items: await listScheduledPlaces(db, caller.organizationId) }),
  };
}
