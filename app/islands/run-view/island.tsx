import { useEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import type { RunMember, RunSummary } from "#contracts/test-executioner/runs.ts";
import { endInWords } from "~/features/runs/run-words";
import { apiStatusElementId } from "~/features/verdict/api-status-element";
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

  async function showEnd(run: RunSummary, showFromEvents: () => void) {
    const response = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => undefined);
    const page = new DOMParser().parseFromString((await response?.text()) ?? "", "text/html");
    const ended = page.getElementById(runElementId);
    const status = page.getElementById(apiStatusElementId);
    if (status) document.getElementById(apiStatusElementId)?.replaceWith(status);
    // For example after signing out.
    if (!ended) showFromEvents();
    else {
      const focused = document.activeElement?.getAttribute("href");
      root.unmount();
      document.getElementById(runElementId)?.replaceWith(ended);
      if (focused) ended.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus();
    }
    const notice = document.getElementById(endedElementId);
    if (notice) notice.textContent = endInWords(run);
  }
}

type OnEnd = (run: RunSummary, showFromEvents: () => void) => void;

function LiveRun({ onEnd, ...props }: RunViewProps & { onEnd: OnEnd }) {
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
        const show = () => heard((snapshot) => ({ ...snapshot, run }));
        if (isUnfinished(run)) return show();
        stop();
        // Its members' last events may not have arrived: a verdict above running members would contradict them.
        onEnd(run, show);
      },
    });
    return stop;
  }, [apiId, runId, from, to, onEnd]);
  return <RunView {...props} {...snapshot} now={now} />;
}
