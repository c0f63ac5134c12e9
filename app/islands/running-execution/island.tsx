import type { ExecutionSummary } from "#contracts/test-executioner/executions.ts";
import { followEvents } from "../followed-events.ts";

/**
 * Reloads the page when the execution has ended. The server's markup is not changed, so this island needs no React: a
 * page with a running test loads as little script as any other.
 */
export function hydrate(element: HTMLElement): void {
  const { eventsHref } = JSON.parse(element.dataset.props ?? "{}") as { eventsHref: string };
  const stop = followEvents(eventsHref, {
    execution(data) {
      const { state } = JSON.parse(data) as ExecutionSummary;
      if (state !== "finished" && state !== "cancelled") return;
      stop();
      location.reload();
    },
  });
  addEventListener("pagehide", stop);
}
