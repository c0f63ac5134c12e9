import { style } from "@vanilla-extract/css";

/** What a page is about grows, so that the footer stays at the bottom of a short one. */
export const body = style({ display: "flex", flexDirection: "column" });
