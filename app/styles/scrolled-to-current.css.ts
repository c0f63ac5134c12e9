import { keyframes } from "@vanilla-extract/css";

/**
 * A container that snaps scrolls to its one target when it is laid out, so the current entry is in view without script.
 * Only at first: the animation ends at once, and then it scrolls freely.
 */
const settle = keyframes({ from: { scrollSnapType: "both mandatory" }, to: { scrollSnapType: "both mandatory" } });

/** Of a container of links that scrolls. */
export const scrolledToCurrent = { animation: `${settle} 1ms` } as const;

/** Of its link to the current page, and of no other one. */
export const scrollTarget = { scrollSnapAlign: "center" } as const;
