import { style } from "@vanilla-extract/css";

/** As narrow as its content, but never one button below the other. */
export const actions = style({ selectors: { "&&": { flexWrap: "nowrap" } } });
