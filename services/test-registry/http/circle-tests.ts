import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { type CursorKind, type CursorValues, pageFrom, readCursor } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { type Placed, placeKey } from "../domain/circle-members.ts";
import { type CircleTest, readTests } from "../store/circle-tests.ts";
import type { TestDatabase } from "../store/tables.ts";
import type { TestRow } from "../store/tests.ts";
import type { OpenCircles } from "./opened-circles.ts";
import { resolveCircle, toOwnedTests } from "./resolved-circles.ts";
import { shownTest } from "./tests.ts";

type CircleTestHandlers = Pick<Handlers<typeof testRegistryContract>, "listTestsOfCircle" | "openCircles">;

/** Of a place's key. */
const placeKinds: CursorKind[] = ["position", "position", "text", "id"];

/** Selections change while a list is read: a page starts after the key of the last test, whether or not that still exists. */
function isBehind(key: CursorValues, after: CursorValues): boolean {
  const differing = key.findIndex((value, index) => value !== after[index]);
  return differing >= 0 && key[differing]! > after[differing]!;
}

/** Whole tests; one that was deleted since it was resolved is left out. */
function shownTests(places: Placed<CircleTest>[], tests: Map<string, TestRow>) {
  return places.flatMap(({ phase, test }) => {
    const whole = tests.get(test.id);
    return whole ? [{ phase, test: shownTest(whole) }] : [];
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
      const after = query.cursor === undefined ? undefined : readCursor(query.cursor, placeKinds);
      const rest = after ? running.filter((place) => isBehind(placeKey(place), after)) : running;
      const { items, nextCursor } = pageFrom(rest, query.limit, placeKey, (place) => place);
      return {
        items: shownTests(items, await readTests(db, toOwnedTests({ row, running: items }))),
        nextCursor,
        version: row.version,
      };
    },

    openCircles: async ({ body: { items } }) => ({ items: await openCircles(items) }),
  };
}
