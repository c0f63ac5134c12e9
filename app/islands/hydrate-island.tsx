import type { ComponentType } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { ViewersClock } from "~/features/time-zone/viewers-clock";
import { takeTyped } from "./typed-before";

/** Brings an island's server markup alive; every `island.tsx` exports `hydrate` made with it. */
export function hydrateIsland<Props extends object>(Ground: ComponentType<Props>) {
  return (element: HTMLElement) => {
    const props = JSON.parse(element.dataset.props ?? "{}") as Props;
    const typeAgain = takeTyped(element);
    // At once: nobody can type meanwhile.
    flushSync(() =>
      hydrateRoot(
        element,
        <ViewersClock timeZone={element.dataset.timeZone}>
          <Ground {...props} />
        </ViewersClock>,
        { identifierPrefix: element.dataset.island },
      ),
    );
    typeAgain();
  };
}
