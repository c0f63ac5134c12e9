import { style } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

export const list = style({ display: "flex", flexWrap: "wrap", rowGap: space.hair, fontSize: text.small });

export const item = style({
  display: "flex",
  alignItems: "center",
  minWidth: 0,
  color: colour.inkSoft,
  overflowWrap: "anywhere",
  selectors: {
    "& + &::before": { content: "'/' / ''", margin: `0 ${space.small}`, color: colour.inkFaint },
  },
});

export const note = style({ flex: "none", marginInlineStart: space.tiny, color: colour.inkFaint });

export const link = style({
  color: "inherit",
  textDecoration: "none",
  ":hover": { color: colour.ink, textDecoration: "underline" },
});
