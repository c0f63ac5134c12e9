import type { ComponentType } from "react";
import { hydrateRoot } from "react-dom/client";
import { ViewersClock } from "~/time-zone/viewers-clock";

/** Brings an island's server markup alive; every `island.tsx` exports `hydrate` made with it. */
export function hydrateIsland<Props extends object>(Ground: ComponentType<Props>) {
  return (element: HTMLElement) => {
    const props = JSON.parse(element.dataset.props ?? "{}") as Props;
    hydrateRoot(
      element,
      <ViewersClock timeZone={element.dataset.timeZone}>
        <Ground {...props} />
      </ViewersClock>,
      { identifierPrefix: element.dataset.island },
    );
  };
}
