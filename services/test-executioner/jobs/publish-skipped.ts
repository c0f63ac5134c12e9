import type { ExecutionEvent } from "#contracts/test-executioner/events.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { PublishSkipped } from "../store/occurrences.ts";

/** Returns a function that reports scheduled runs for which a plan's month has no executions left. */
export function createPublishSkipped(publisher: Publisher<ExecutionEvent>, clock: Clock): PublishSkipped {
  return async (transaction, organizationIds) => {
    const month = clock.now().toISOString().slice(0, "2026-04".length);
    const events = [...new Set(organizationIds)].map((organizationId) => ({
      type: "runs.skipped" as const,
      organizationId,
      payload: { month },
    }));
    if (events.length > 0) await publisher.publish(transaction, events);
  };
}
