import { notFound } from "#contracts/kit/problem.ts";
import type { OpenedCircle } from "#contracts/test-registry/circles.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { type CursorKind, type CursorValues, pageFrom, readCursor } from "../../kit/database/keyset.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { type Placed, placeKey, type ResolvedMembers, resolveMembers } from "../domain/circle-members.ts";
import { explainWindow, findWindow } from "../domain/maintenance-window.ts";
import { type ListedMember, listMembersOf } from "../store/circle-members.ts";
import { type CircleTest, listTestsOfMembers, readTests } from "../store/circle-tests.ts";
import { type CircleRow, findCircles } from "../store/circles.ts";
import { listWindowsOf, scopeOf } from "../store/maintenance-windows.ts";
import type { TestDatabase } from "../store/tables.ts";
import type { TestRow } from "../store/tests.ts";
import type { CircleVariables } from "./circle-variables.ts";
import { summarizeCircle } from "./circles.ts";
import { shownTest } from "./tests.ts";

type ResolvedHandlers = Pick<Handlers<typeof testRegistryContract>, "listTestsOfCircle" | "openCircles">;

/** Tests of a larger circle are not sent with it: their definitions may be megabytes. */
const maxTestsAtOnce = 20;
const isSmall = ({ running }: Pick<ResolvedCircle, "running">) => running.length <= maxTestsAtOnce;

/** Length of a sort key. */
const keyKinds: CursorKind[] = ["position", "position", "text", "id"];

/**
 * Selections change while a list is read: the next page starts after the position of the last test, even if that was
 * deleted.
 */
function isBehind(key: CursorValues, after: CursorValues): boolean {
  const differing = key.findIndex((value, index) => value !== after[index]);
  return differing >= 0 && key[differing]! > after[differing]!;
}

interface Circle {
  organizationId: string;
  testCircleId: string;
  apiIds: string[];
}

interface ResolvedCircle extends ResolvedMembers<CircleTest> {
  row: CircleRow;
  placed: ListedMember[];
}

/**
 * Circles with the tests they currently run, by id; the number of statements does not depend on the number of circles.
 */
async function resolveCircles(
  db: TestDatabase,
  circles: { organizationId: string; testCircleId: string }[],
): Promise<Map<string, ResolvedCircle>> {
  const rows = await findCircles(db, circles);
  const membersWithApis = await listMembersOf(db, circles);
  const found = rows.map((row) => {
    const own = membersWithApis.get(row.id) ?? [];
    return { row, placed: own, organizationId: row.organization_id, members: own.map(({ member }) => member) };
  });
  const tests = await listTestsOfMembers(db, found);
  return new Map(
    found.map(({ row, placed: own, members }) => {
      const requested = new Set(members.map((member) => (member.kind === "test" ? member.testId : member.apiId)));
      const ofCircle = tests.filter(({ id, apiId }) => requested.has(id) || requested.has(apiId));
      return [row.id, { row, placed: own, ...resolveMembers(members, ofCircle) }];
    }),
  );
}

/** @throws Problem not_found */
export async function resolveCircle(
  db: TestDatabase,
  organizationId: string,
  testCircleId: string,
): Promise<ResolvedCircle> {
  const resolved = (await resolveCircles(db, [{ organizationId, testCircleId }])).get(testCircleId);
  if (!resolved) throw notFound("test circle");
  return resolved;
}

const ownedTests = ({ row, running }: Pick<ResolvedCircle, "row" | "running">) =>
  running.map(({ test }) => ({ organizationId: row.organization_id, id: test.id }));

/** Definitions of tests; tests deleted after resolving are omitted. */
function shownTests(locations: Placed<CircleTest>[], tests: Map<string, TestRow>) {
  return locations.flatMap(({ phase, test }) => {
    const whole = tests.get(test.id);
    return whole ? [{ phase, test: shownTest(whole) }] : [];
  });
}

function wholeTests(locations: Placed<CircleTest>[], tests: Map<string, TestRow>) {
  const ids = new Set(locations.map(({ test }) => test.id));
  return [...ids].flatMap((id) => (tests.has(id) ? [shownTest(tests.get(id)!)] : []));
}

/** Creates the handlers that resolve the tests a circle would currently run. */
export function createCircleTestHandlers({
  db,
  variables,
  readTime,
}: {
  db: TestDatabase;
  variables: CircleVariables;
  readTime: SharedClock;
}): ResolvedHandlers {
  async function listWindowsOn(circles: ResolvedCircle[]): Promise<(circle: Circle) => string | null> {
    const windows = await listWindowsOf(db, [...new Set(circles.map(({ row }) => row.organization_id))]);
    const now = windows.length > 0 ? (await readTime()).getTime() : 0;
    return (circle) => {
      const own = windows.filter((window) => window.organization_id === circle.organizationId).map(scopeOf);
      const window = findWindow(own, circle, now);
      return window ? explainWindow(window) : null;
    };
  }

  function opened(
    { row, placed, running, notRun }: ResolvedCircle,
    tests: Map<string, TestRow>,
    findMaintenance: (circle: Circle) => string | null,
  ): OpenedCircle {
    const apiIds = [...new Set(placed.map(({ apiId }) => apiId))].sort();
    return {
      ...summarizeCircle(row, placed.length, apiIds),
      environments: row.environments,
      variables: variables.open(row),
      maintenance: findMaintenance({ organizationId: row.organization_id, testCircleId: row.id, apiIds }),
      leftOut: notRun.length,
      runs: running.map(({ phase, test }) => ({ phase, testId: test.id })),
      tests: isSmall({ running }) ? wholeTests(running, tests) : null,
    };
  }

  return {
    async listTestsOfCircle({ caller: { organizationId }, params, query }) {
      const { row, running } = await resolveCircle(db, organizationId, params.testCircleId);
      const after = query.cursor === undefined ? undefined : readCursor(query.cursor, keyKinds);
      const rest = after ? running.filter((location) => isBehind(placeKey(location), after)) : running;
      const { items, nextCursor } = pageFrom(rest, query.limit, placeKey, (location) => location);
      return {
        items: shownTests(items, await readTests(db, ownedTests({ row, running: items }))),
        nextCursor,
        version: row.version,
      };
    },

    async openCircles({ body: { items } }) {
      const circles = await resolveCircles(db, items);
      const tests = await readTests(db, [...circles.values()].filter(isSmall).flatMap(ownedTests));
      const findMaintenance = await listWindowsOn([...circles.values()]);
      return {
        items: items.map(({ organizationId, testCircleId }) => {
          const circle = circles.get(testCircleId);
          return circle?.row.organization_id === organizationId ? opened(circle, tests, findMaintenance) : null;
        }),
      };
    },
  };
}
