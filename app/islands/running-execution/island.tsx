import type { ExecutionSummary } from "../../../services/test-executioner/contract/executions.ts";

/**
 * Loads the page again when what is under way has ended. The markup stays as the server made it, so this island needs
 * no React: a page that shows a running test costs as little script as any other.
 */
export function hydrate(element: HTMLElement): void {
  const { eventsHref } = JSON.parse(element.dataset.props ?? "{}") as { eventsHref: string };
  const events = new EventSource(eventsHref);
  events.addEventListener("execution", (event) => {
    const { state } = JSON.parse(event.data) as ExecutionSummary;
    if (state !== "finished" && state !== "cancelled") return;
    events.close();
    location.reload();
  });
  addEventListener("pagehide", () => events.close());
}
