import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import { href } from "~/href";

/** A run's page among an API's pages; a circle's run is below the circle's pages. */
export function runAddress(apiId: string, { id, source }: Pick<RunSummary, "id" | "source">): string {
  if (source.kind !== "circle") return href("/test-management/:apiId/runs/:runId", { apiId, runId: id });
  return href("/test-management/:apiId/test-circles/:testCircleId/executions/:testCircleExecutionId/results", {
    ...{ apiId, testCircleId: source.testCircleId, testCircleExecutionId: id },
  });
}
