import { globalStyle, style } from "@vanilla-extract/css";
import { colour, controlHeight, measure, screen, space, text } from "~/styles/tokens.css";

export const bar = style({
  background: colour.surface,
  borderBottom: `1px solid ${colour.line}`,
  "@media": { print: { display: "none" } },
});

/** One line if it fits: the longest name shrinks. On small screens two: the way and Run, the status and environment. */
export const api = style({
  maxWidth: measure.page,
  margin: "0 auto",
  padding: `0 ${space.large}`,
  display: "flex",
  alignItems: "center",
  gap: `${space.hair} ${space.large}`,
  minHeight: "2.625rem",
  fontSize: text.small,
  "@media": {
    [screen.narrow]: {
      display: "grid",
      gridTemplateColumns: "minmax(0, 1fr) auto",
      columnGap: space.small,
      paddingBlock: space.tiny,
    },
  },
});

export const trail = style({ minWidth: 0, flex: "0 1 auto" });

globalStyle(`${trail} ol`, { flexWrap: "nowrap" });
globalStyle(`${trail} li`, { whiteSpace: "nowrap" });
globalStyle(`${trail} li > *`, { overflow: "hidden", textOverflow: "ellipsis" });
globalStyle(`${trail} li:first-child`, { flex: "none" });

export const target = style({
  display: "flex",
  alignItems: "center",
  gap: space.small,
  minWidth: 0,
  color: colour.inkSoft,
  "@media": { [screen.wide]: { marginInlineStart: "auto", flex: "0 1 auto" } },
});

/** As low as its line. */
export const environment = style({ display: "flex", alignItems: "center", gap: space.tiny });

/** On small screens it has its whole line where nothing but the base URL, which they hide, follows. */
export const state = style({
  minWidth: 0,
  flex: "0 0 auto",
  "@media": { [screen.narrow]: { selectors: { "&:has(+ * > code:only-child)": { gridColumn: "1 / -1" } } } },
});

globalStyle(`${environment} select`, {
  height: controlHeight.small,
  minHeight: 0,
  maxWidth: "12rem",
  fontSize: text.small,
  paddingBlock: 0,
});

/** Small screens leave it to the settings and to each test. */
export const baseUrl = style({
  maxWidth: "22rem",
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  "@media": { [screen.narrow]: { display: "none" } },
});

/** On small screens at the end of the first line. */
export const run = style({
  flex: "none",
  "@media": { [screen.narrow]: { gridRow: 1, gridColumn: 2 } },
  selectors: { "&:empty": { display: "none" } },
});
