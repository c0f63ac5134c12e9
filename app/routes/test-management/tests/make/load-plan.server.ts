import type { Viewer } from "~/session/guards";
import { limitSteps } from "./displayed-steps";
import { listNeededValues } from "./needed-values.server";
import { findOne } from "./one-operation.server";
import { displayCircles, displayRefusals, findPlan, type MakeFilters } from "./plan.server";

/** The plan of a page of operations, or of one with its single test. */
export async function loadPlan(viewer: Viewer, apiId: string, filters: MakeFilters, opened: string | undefined) {
  const { operation } = filters;
  const one = operation && (await findOne(viewer, apiId, operation));
  if (operation && !one) {
    const refusals = { circles: [], cases: 0 };
    return { circles: [], refusals, values: [], leftOut: [], needsBaseUrl: false, one, nextCursor: null, total: 0 };
  }
  const found = await findPlan(viewer, apiId, filters);
  const { page, plan, given } = found;
  const ofOne = (one?.needs ?? []).filter((name) => plan.values.every((value) => value.name !== name));
  const needed = [...plan.values, ...ofOne.map((name) => ({ name, usedBy: 1 }))];
  return {
    circles: limitSteps(displayCircles(apiId, found), opened),
    refusals: displayRefusals(apiId, found),
    values: listNeededValues(
      needed,
      plan.tests.map(({ test }) => test),
      given,
    ),
    leftOut: plan.leftOut,
    needsBaseUrl: plan.needsBaseUrl || one?.needsBaseUrl === true,
    one,
    nextCursor: page.nextCursor,
    total: page.total ?? page.items.length,
  };
}
