import type { OpenedCircle } from "#contracts/test-registry/circles.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import { explainWindow, findWindow } from "../domain/maintenance-window.ts";
import { readTests } from "../store/circle-tests.ts";
import { listWindowsByOrganization, toScope } from "../store/maintenance-windows.ts";
import type { TestDatabase } from "../store/tables.ts";
import type { TestRow } from "../store/tests.ts";
import type { CircleVariables } from "./circle-variables.ts";
import { summarizeCircle } from "./circles.ts";
import { type CircleAddress, type ResolvedCircle, resolveCircles, toOwnedTests } from "./resolved-circles.ts";
import { toTest } from "./tests.ts";

/** Circles as they are to run now, in the order of their addresses, secret variables included; null for a missing one. */
export type OpenCircles = (addresses: CircleAddress[]) => Promise<(OpenedCircle | null)[]>;

/** A larger circle is sent without its tests, which may be megabytes each. */
const maxTestsSent = 20;
const isSmall = ({ running }: Pick<ResolvedCircle, "running">) => running.length <= maxTestsSent;

export function createOpenCircles(parts: {
  db: TestDatabase;
  variables: CircleVariables;
  readTime: SharedClock;
}): OpenCircles {
  const { db, variables, readTime } = parts;

  async function findMaintenance(circles: ResolvedCircle[]) {
    const windows = await listWindowsByOrganization(db, [...new Set(circles.map(({ row }) => row.organization_id))]);
    const now = windows.length > 0 ? (await readTime()).getTime() : 0;
    return ({ row }: ResolvedCircle, apiIds: string[]) => {
      const own = windows.filter((window) => window.organization_id === row.organization_id).map(toScope);
      const window = findWindow(own, { testCircleId: row.id, apiIds }, now);
      return window ? explainWindow(window) : null;
    };
  }

  return async (addresses) => {
    const circles = await resolveCircles(db, addresses);
    const tests = await readTests(db, [...circles.values()].filter(isSmall).flatMap(toOwnedTests));
    const explainMaintenance = await findMaintenance([...circles.values()]);
    return addresses.map(({ organizationId, testCircleId }) => {
      const circle = circles.get(testCircleId);
      if (circle?.row.organization_id !== organizationId) return null;
      const { row, placed, running, notRun } = circle;
      const apiIds = [...new Set(placed.map(({ apiId }) => apiId))].sort();
      return {
        ...summarizeCircle(row, placed.length, apiIds),
        environments: row.environments,
        variables: variables.open(row),
        maintenance: explainMaintenance(circle, apiIds),
        leftOut: notRun.length,
        runs: running.map(({ phase, test, effect }) => ({ phase, testId: test.id, ...(effect ? { effect } : {}) })),
        tests: isSmall(circle) ? toWholeTests(circle, tests) : null,
      };
    });
  };
}

function toWholeTests({ running }: ResolvedCircle, tests: Map<string, TestRow>) {
  const ids = new Set(running.map(({ test }) => test.id));
  return [...ids].flatMap((id) => (tests.has(id) ? [toTest(tests.get(id)!)] : []));
}
