import { style } from "@vanilla-extract/css";

/** The footer stays at the bottom of a short page. */
export const body = style({ display: "flex", flexDirection: "column" });

export const main = style({ flex: 1, selectors: { "&:focus": { outline: "none" } } });
