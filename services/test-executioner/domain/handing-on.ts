import type { RunOrder } from "#contracts/test-executioner/runs.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";

/** Whether members of a run use captures of each other, or of their circle. */
export function keepsCaptures(run: { order: RunOrder; concurrency: number | null }): boolean {
  return run.order === "sequential" || run.concurrency !== null;
}

/** Members that run in parallel pass nothing on: the result would depend on timing. */
export function handsOn({ order }: { order: RunOrder }, phase: CirclePhase): boolean {
  return order === "sequential" || phase !== "main";
}
