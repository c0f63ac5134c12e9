import { style } from "@vanilla-extract/css";

/** The main content grows, so that the footer is at the bottom of a short page. */
export const body = style({ display: "flex", flexDirection: "column" });
