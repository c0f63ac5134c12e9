import { useEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import type { RunMember, RunSummary } from "#contracts/test-executioner/runs.ts";
import { endInWords } from "~/features/runs/run-words";
import { isUnfinished } from "~/features/verdict/verdict-words";
import { href } from "~/href";
import { followEvents } from "../followed-events.ts";
import { endedElementId, runElementId } from "./element-ids.ts";
import { type RunSnapshot, withMembers } from "./run-change.ts";
import { RunView, type RunViewProps } from "./run-view.tsx";

/** Follows a run until it has ended; then the server's markup replaces the island, and the end is announced. */
export function hydrate(element: HTMLElement): void {
  const props = JSON.parse(element.dataset.props ?? "{}") as RunViewProps;
  const root = hydrateRoot(element, <LiveRun {...props} onEnd={showEnd} />, {
    identifierPrefix: element.dataset.island,
  });

  async function showEnd(run: RunSummary) {
    const response = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => undefined);
    const page = new DOMParser().parseFromString((await response?.text()) ?? "", "text/html");
    const ended = page.getElementById(runElementId);
    // For example after signing out: the events received so far stay displayed.
    if (ended) {
      const focused = document.activeElement?.getAttribute("href");
      root.unmount();
      document.getElementById(runElementId)?.replaceWith(ended);
      if (focused) ended.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus();
    }
    const notice = document.getElementById(endedElementId);
    if (notice) notice.textContent = endInWords(run);
  }
}

function LiveRun({ onEnd, ...props }: RunViewProps & { onEnd: (run: RunSummary) => void }) {
  const { apiId, run, members, firstFailures } = props;
  const runId = run.id;
  // The page number stays the same, whatever happens to its members.
  const { position: from = 0 } = members.at(0) ?? {};
  const { position: to = 0 } = members.at(-1) ?? {};
  const [snapshot, setSnapshot] = useState<RunSnapshot>({ run, members, firstFailures });
  const [now, setNow] = useState(props.now);
  useEffect(() => {
    const address = href("/test-management/:apiId/runs/:runId/events", { apiId, runId }, { from, to });
    const heard = (change: (snapshot: RunSnapshot) => RunSnapshot) => {
      setSnapshot(change);
      setNow(new Date().toISOString());
    };
    const stop = followEvents(address, {
      members(data) {
        const { items } = JSON.parse(data) as { items: RunMember[] };
        heard((snapshot) => withMembers(snapshot, items));
      },
      run(data) {
        const run = JSON.parse(data) as RunSummary;
        heard((snapshot) => ({ ...snapshot, run }));
        if (isUnfinished(run)) return;
        stop();
        onEnd(run);
      },
    });
    return stop;
  }, [apiId, runId, from, to, onEnd]);
  return <RunView {...props} {...snapshot} now={now} />;
}
