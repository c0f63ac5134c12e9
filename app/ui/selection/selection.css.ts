import { style } from "@vanilla-extract/css";
import { colour, radius, space, text, weight } from "~/styles/tokens.css";
import { stacked } from "~/ui/table/table.css";

const scripted = "(scripting: enabled)";

/** Stays in view while rows further down are ticked, and keeps its height, so that no row moves away below the pointer. */
export const bar = style({
  display: "flex",
  alignItems: "center",
  gap: `${space.tiny} ${space.medium}`,
  flexWrap: "wrap",
  "@media": {
    [scripted]: {
      position: "sticky",
      top: 0,
      zIndex: 2,
      flexWrap: "nowrap",
      minHeight: "2.75rem",
      padding: `${space.tiny} ${space.large}`,
      background: colour.surface,
      border: `1px solid ${colour.line}`,
      borderRadius: radius.large,
    },
  },
});

/** Selecting all rows needs JavaScript. */
export const all = style({
  display: "none",
  "@media": {
    [scripted]: { display: "flex", alignItems: "center", gap: space.small, fontSize: text.small, whiteSpace: "nowrap" },
  },
});

const anyTicked = ":has(tbody input:checked) &";

export const count = style({
  display: "none",
  fontSize: text.small,
  fontWeight: weight.medium,
  fontVariantNumeric: "tabular-nums",
  whiteSpace: "nowrap",
  "@media": { [scripted]: { selectors: { [anyTicked]: { display: "block" } } } },
});

export const hint = style({
  color: colour.inkSoft,
  fontSize: text.small,
  "@media": { [scripted]: { selectors: { [anyTicked]: { display: "none" } } } },
});

/** With script they appear once a row is ticked; without, they are always there. One line that scrolls on its own. */
export const actions = style({
  display: "flex",
  flexWrap: "wrap",
  gap: space.tiny,
  "@media": {
    [scripted]: {
      display: "none",
      flexWrap: "nowrap",
      minWidth: 0,
      overflowX: "auto",
      // Of hidden words in it, which are positioned: without this they would widen the page.
      position: "relative",
      // The focus ring of a button is outside of it.
      padding: 4,
      margin: -4,
      selectors: { [anyTicked]: { display: "flex" } },
    },
  },
});

export const button = style({ flex: "none" });

/** Large enough for touch. */
export const tick = style({
  display: "block",
  width: "1.5rem",
  height: "1.5rem",
  margin: 0,
  accentColor: colour.accent,
});

export const tickCell = style({ "@container": { [stacked]: { alignSelf: "center" } } });
