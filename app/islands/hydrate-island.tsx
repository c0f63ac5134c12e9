import type { ComponentType } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { ViewersClock, type ViewersZone } from "~/features/time-zone/viewers-clock";
import { takeTyped } from "./typed-before";

/** Hydrates an island's server markup; every `island.tsx` exports `hydrate` made with it. */
export function hydrateIsland<Props extends object>(Ground: ComponentType<Props>) {
  return (element: HTMLElement) => {
    const { props = "{}", zone } = element.dataset;
    const typeAgain = takeTyped(element);
    // Synchronously, so that the user can't type meanwhile.
    flushSync(() =>
      hydrateRoot(
        element,
        <ViewersClock zone={zone ? (JSON.parse(zone) as ViewersZone) : undefined}>
          <Ground {...(JSON.parse(props) as Props)} />
        </ViewersClock>,
        { identifierPrefix: element.dataset.island },
      ),
    );
    typeAgain();
  };
}
