import { style } from "@vanilla-extract/css";
import { colour, space, text, weight } from "~/styles/tokens.css";

export const list = style({ margin: 0, padding: 0, listStyle: "none" });

export const step = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: `${space.tiny} ${space.large}`,
  padding: `${space.small} ${space.large}`,
  fontSize: text.small,
  selectors: { "& + &": { borderTop: `1px solid ${colour.line}` } },
});

export const words = style({ flex: "1 1 16rem", minWidth: 0 });

export const title = style({ fontWeight: weight.strong, marginInlineEnd: space.tiny });

export const sentence = style({ color: colour.inkSoft });
