import { type CursorValues, decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import { notFound } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testRegistryContract } from "../contract/contract.ts";
import { type Placed, placeKey, resolveMembers } from "../domain/circle-members.ts";
import { type CircleTest, listTestsOfMembers, readTests } from "../store/circle-tests.ts";
import { findCircle, listMembers } from "../store/circles.ts";
import type { TestDatabase } from "../store/tables.ts";
import type { CircleVariables } from "./circle-variables.ts";
import { summarizeCircle } from "./circles.ts";
import { shownTest } from "./tests.ts";

type ResolvedHandlers = Pick<Handlers<typeof testRegistryContract>, "listTestsOfCircle" | "openCircle">;

/** Those of a larger circle are read page by page: whole tests may be megabytes. */
const mostTestsAtOnce = 20;

/** Selections change while a list is read: a page goes on behind the place of the last test, whether that is there or not. */
function isBehind(key: CursorValues, after: CursorValues): boolean {
  const differing = key.findIndex((value, index) => value !== after[index]);
  return differing >= 0 && key[differing]! > after[differing]!;
}

/** A circle and which tests it runs at this moment. */
export async function resolveCircle(db: TestDatabase, organizationId: string, testCircleId: string) {
  const row = await findCircle(db, { organizationId, testCircleId });
  if (!row) throw notFound("test circle");
  const placed = await listMembers(db, { organizationId, testCircleId });
  const members = placed.map(({ member }) => member);
  const tests = await listTestsOfMembers(db, organizationId, members);
  return { row, placed, ...resolveMembers(members, tests) };
}

/** Makes the handlers that say what a circle would run at this moment. */
export function createCircleTestHandlers({
  db,
  variables,
}: {
  db: TestDatabase;
  variables: CircleVariables;
}): ResolvedHandlers {
  /** Whole tests; one that was deleted since it was resolved is left out. */
  async function shownTests(organizationId: string, places: Placed<CircleTest>[]) {
    const testIds = places.map(({ test }) => test.id);
    const tests = await readTests(db, organizationId, testIds);
    return places.flatMap(({ phase, test }) => {
      const whole = tests.get(test.id);
      return whole ? [{ phase, test: shownTest(whole) }] : [];
    });
  }

  return {
    async listTestsOfCircle({ caller: { organizationId }, params, query }) {
      const { row, running } = await resolveCircle(db, organizationId, params.testCircleId);
      const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, 4);
      const rest = after ? running.filter((place) => isBehind(placeKey(place), after)) : running;
      const { items, nextCursor } = pageFrom(rest, query.limit, placeKey, (place) => place);
      return {
        items: await shownTests(organizationId, items),
        nextCursor,
        version: row.version,
      };
    },

    async openCircle({ caller: { organizationId }, params }) {
      const { row, placed, running, notRun } = await resolveCircle(db, organizationId, params.testCircleId);
      const apiIds = [...new Set(placed.map(({ apiId }) => apiId))].sort();
      return {
        ...summarizeCircle(row, placed.length, apiIds),
        environments: row.environments,
        variables: variables.open(row),
        leftOut: notRun.length,
        tests: running.length <= mostTestsAtOnce ? await shownTests(organizationId, running) : null,
      };
    },
  };
}
