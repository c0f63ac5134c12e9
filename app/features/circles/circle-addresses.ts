import type { CircleSummary } from "#contracts/test-registry/circles.ts";
import { href } from "~/href";

type Placed = Pick<CircleSummary, "id" | "apiIds">;

/** Parameters of one circle's pages. */
export type CircleParams = { apiId: string; testCircleId: string };

/** The list of an API's circles, or of all. */
export function circleListAddress(apiId?: string): string {
  return apiId
    ? href("/test-management/:apiId/test-circles/list", { apiId })
    : href("/test-management/test-circles/list");
}

/**
 * Every page of a circle is below an API: the current one, or else the first that it has members of. Undefined for a
 * circle whose members were all deleted.
 */
function getHome({ apiIds }: Placed, preferred: string | undefined): string | undefined {
  return preferred && apiIds.includes(preferred) ? preferred : apiIds[0];
}

/** A circle's own page. */
export function circleAddress(circle: Placed, preferred?: string): string {
  const apiId = getHome(circle, preferred) ?? preferred;
  if (!apiId) return circleListAddress();
  return href("/test-management/:apiId/test-circles/:testCircleId", { apiId, testCircleId: circle.id });
}

/** The list of a circle's runs. */
export function circleRunsAddress(circle: Placed, preferred?: string): string {
  const apiId = getHome(circle, preferred) ?? preferred;
  if (!apiId) return circleListAddress();
  return href("/test-management/:apiId/test-circles/:testCircleId/executions/list", {
    ...{ apiId, testCircleId: circle.id },
  });
}

/** The page of one of a circle's runs. */
export function circleRunAddress(circle: Placed, runId: string, preferred?: string): string {
  const apiId = getHome(circle, preferred) ?? preferred;
  if (!apiId) return circleListAddress();
  return href("/test-management/:apiId/test-circles/:testCircleId/executions/:testCircleExecutionId/results", {
    ...{ apiId, testCircleId: circle.id, testCircleExecutionId: runId },
  });
}
