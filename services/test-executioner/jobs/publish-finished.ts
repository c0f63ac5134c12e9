import type { ExecutionEvent } from "#contracts/test-executioner/events.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import { notifyEnds } from "../store/changes.ts";
import type { FinishedRun, PublishFinished } from "../store/finished-runs.ts";
import { parseSurroundings } from "../store/surroundings.ts";

/**
 * A run ends once, so events about it need no order.
 * @param observers of this process, for its figures; the transaction may still fail, which is as rare as it is harmless
 */
export function createPublishFinished(
  publisher: Pick<Publisher<ExecutionEvent>, "publish">,
  observers: readonly ((runs: readonly FinishedRun[]) => void)[] = [],
): PublishFinished {
  return async (transaction, runs) => {
    const events = runs.map((run) => ({
      type: "run.finished" as const,
      organizationId: run.organization_id,
      payload: {
        runId: run.id,
        apiIds: parseSurroundings(run.surroundings).apis.map(({ apiId }) => apiId),
        testCircleId: run.test_circle_id,
        trigger: run.trigger,
        state: run.state as "finished" | "cancelled",
        verdict: run.verdict,
        finishedAt: run.finished_at!.toISOString(),
      },
    }));
    await publisher.publish(transaction, events);
    await notifyEnds(transaction, runs);
    for (const observe of observers) observe(runs);
  };
}
