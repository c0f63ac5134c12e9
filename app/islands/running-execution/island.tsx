import type { ExecutionSummary } from "#contracts/test-executioner/executions.ts";
import { followEvents } from "../followed-events.ts";

/**
 * Loads the page again when what is under way has ended. The markup stays as the server made it, so this island needs
 * no React: a page that shows a running test costs as little script as any other.
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
