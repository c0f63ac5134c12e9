import type { ApiExecutionSummary, ExecutionSummary } from "../../../services/test-executioner/contract/executions.ts";

/**
 * Loads the page again when what is under way has ended. The markup stays as the server made it, so this island needs
 * no React: a page that shows a running test costs as little script as any other.
 */
export function hydrate(element: HTMLElement): void {
  const { eventsHref } = JSON.parse(element.dataset.props ?? "{}") as { eventsHref: string };
  const events = new EventSource(eventsHref);
  const look = () => {
    events.close();
    location.reload();
  };
  events.addEventListener("execution", (event) => {
    const { state } = JSON.parse(event.data) as ExecutionSummary;
    if (state === "finished" || state === "cancelled") look();
  });
  events.addEventListener("summary", (event) => {
    const { unfinished } = JSON.parse(event.data) as ApiExecutionSummary;
    if (unfinished === 0) look();
    else element.dispatchEvent(new CustomEvent("run-progress", { bubbles: true, detail: { unfinished } }));
  });
  addEventListener("pagehide", () => events.close());
}
