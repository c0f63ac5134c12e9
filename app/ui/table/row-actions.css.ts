import { style } from "@vanilla-extract/css";

/** As narrow as its content, but never one button below the other. */
export const rowActions = style({ selectors: { "&&": { flexWrap: "nowrap" } } });
