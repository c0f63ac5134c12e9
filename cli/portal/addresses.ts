import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import type { Connection } from "./connection.ts";

/** The page of a run. */
export function toRunAddress(
  { access }: Connection,
  { id, source, apis }: Pick<RunSummary, "id" | "source" | "apis">,
): string {
  const base = `${access.url}/test-management/${apis[0]?.apiId ?? ""}`;
  if (source.kind !== "circle") return `${base}/runs/${id}`;
  return `${base}/test-circles/${source.testCircleId}/executions/${id}/results`;
}
