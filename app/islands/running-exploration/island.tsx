import { useEffect, useState } from "react";
import type { ExplorationSummary } from "#contracts/test-executioner/explorations.ts";
import { hasEnded } from "~/features/explorations/exploration-words";
import { followEvents } from "../followed-events.ts";
import { hydrateIsland } from "../hydrate-island.tsx";
import { ExplorationProgress, type ExplorationProgressProps } from "./exploration-progress.tsx";

/** Follows an exploration; loads the page again when it has ended. */
function LiveProgress(props: ExplorationProgressProps) {
  const { eventsHref } = props;
  const [exploration, setExploration] = useState(props.exploration);
  useEffect(() => {
    const stop = followEvents(eventsHref, {
      exploration(data) {
        const summary = JSON.parse(data) as ExplorationSummary;
        setExploration(summary);
        if (!hasEnded(summary)) return;
        stop();
        location.reload();
      },
    });
    return stop;
  }, [eventsHref]);
  return <ExplorationProgress {...props} exploration={exploration} />;
}

export const hydrate = hydrateIsland(LiveProgress);
