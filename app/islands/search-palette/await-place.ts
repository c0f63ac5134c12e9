import { href } from "~/href";

const places: Record<string, string> = {
  d: href("/dashboard"),
  a: href("/api-management/list"),
  c: href("/test-management/test-circles/list"),
  i: href("/test-management/incidents"),
  s: href("/test-management/schedules"),
  l: href("/test-management/alert-rules"),
};
/** Long enough to find the second key, short enough to be forgotten. */
const patienceMilliseconds = 1_500;

/** After `g`, the next key leads to a page; any other key ends the wait and does what it always does. */
export function awaitPlace(): void {
  const listening = new AbortController();
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Shift") return;
    listening.abort();
    const place = places[event.key];
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    location.assign(place);
  };
  addEventListener("keydown", onKey, { capture: true, signal: listening.signal });
  setTimeout(() => listening.abort(), patienceMilliseconds);
}
