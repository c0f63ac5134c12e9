import { globalStyle, style } from "@vanilla-extract/css";

/** The name next to its field, the description below. */
export const line = style({
  flex: 1,
  selectors: { "&&": { gridTemplateColumns: "minmax(0, 2fr) minmax(0, 5fr)", alignItems: "center" } },
});

globalStyle(`${line} > *`, { gridColumn: 2 });
globalStyle(`${line} > label`, { gridColumn: 1, gridRow: 1, overflowWrap: "anywhere" });
globalStyle(`${line} > input`, { gridRow: 1 });
