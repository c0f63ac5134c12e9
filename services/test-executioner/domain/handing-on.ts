import type { RunOrder } from "#contracts/test-executioner/runs.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";

/** Whether members of a run have anything from each other, or from the circle they are of. */
export function keepsCaptures(run: { order: RunOrder; concurrency: number | null }): boolean {
  return run.order === "sequential" || run.concurrency !== null;
}

/** Members that others run beside hand nothing on: it would be chance who sees what. */
export function handsOn({ order }: { order: RunOrder }, phase: CirclePhase): boolean {
  return order === "sequential" || phase !== "main";
}
