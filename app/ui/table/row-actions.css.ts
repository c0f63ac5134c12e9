import { style } from "@vanilla-extract/css";

/** As narrow as its content, with all buttons in one line. */
export const rowActions = style({ selectors: { "&&": { flexWrap: "nowrap" } } });
