import { toRefusalsKey } from "#contracts/test-analyzer/refusals-key.ts";
import type { PlannedCircle, PlannedTest, SuitePlan } from "#contracts/test-analyzer/suite-plans.ts";

export const isRefusals = ({ kind }: Pick<PlannedCircle, "kind">) => kind === "refusals";

/** Requests that a circle of invalid requests sends: one for each row. */
export function countCases(circle: PlannedCircle, tests: ReadonlyMap<string, PlannedTest>): number {
  const refusing = circle.steps.filter(({ does }) => does === "refuse");
  return refusing.reduce((sum, { test }) => sum + (tests.get(test)?.test.data?.length ?? 1), 0);
}

/**
 * The chosen circles in the order of the plan, with the invalid requests of those that are chosen or exist.
 * @param keys of chosen circles
 * @param existing names of circles that exist
 */
export function chooseCircles(
  { circles }: Pick<SuitePlan, "circles">,
  keys: ReadonlySet<string>,
  existing: ReadonlyMap<string, unknown>,
  isInvalidChosen: boolean,
): PlannedCircle[] {
  const accompanied = new Set(
    circles.filter(({ key, name }) => keys.has(key) || existing.has(name)).map(({ key }) => toRefusalsKey(key)),
  );
  const isNew = ({ name }: PlannedCircle) => !existing.has(name);
  return circles.filter((circle) =>
    isRefusals(circle) ? isInvalidChosen && accompanied.has(circle.key) && isNew(circle) : keys.has(circle.key),
  );
}
