import { useEffect, useState } from "react";
import type { ExplorationSummary } from "#contracts/test-executioner/explorations.ts";
import { followEvents } from "../followed-events.ts";
import { hydrateIsland } from "../hydrate-island.tsx";
import { ExplorationProgress, type ExplorationProgressProps } from "./exploration-progress.tsx";

/** Follows an exploration; loads the page again when it begins, finds something for the first time, and has ended. */
function LiveProgress(props: ExplorationProgressProps) {
  const { eventsHref, displayed } = props;
  const { state: shown } = props.exploration;
  const [exploration, setExploration] = useState(props.exploration);
  useEffect(() => {
    const stop = followEvents(eventsHref, {
      exploration(data) {
        const summary = JSON.parse(data) as ExplorationSummary;
        setExploration(summary);
        const isFirst = displayed === 0 && summary.findings > 0;
        if (summary.state === shown && !isFirst) return;
        stop();
        location.reload();
      },
    });
    return stop;
  }, [eventsHref, displayed, shown]);
  return <ExplorationProgress {...props} exploration={exploration} />;
}

export const hydrate = hydrateIsland(LiveProgress);
