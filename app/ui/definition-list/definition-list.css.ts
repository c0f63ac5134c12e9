import { style, styleVariants } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

export const list = style({ display: "grid", fontSize: "0.875rem" });

export const look = styleVariants({
  rows: {},
  /** Several short facts in one row. */
  columns: { gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 11rem), 1fr))", gap: space.large },
});

export const pair = styleVariants({
  rows: {
    display: "flex",
    flexWrap: "wrap",
    gap: `${space.hair} ${space.large}`,
    padding: `${space.small} 0`,
    selectors: { "& + &": { borderTop: `1px solid ${colour.line}` } },
  },
  columns: { minWidth: 0 },
});

export const term = styleVariants({
  rows: { flex: "0 1 11rem", color: colour.inkSoft },
  columns: { color: colour.inkSoft, fontSize: text.tiny, marginBottom: space.hair },
});

export const value = styleVariants({
  rows: { flex: "1 1 14rem", minWidth: 0, overflowWrap: "anywhere" },
  columns: { overflowWrap: "anywhere" },
});
