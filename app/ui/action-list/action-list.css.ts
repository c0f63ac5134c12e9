import { style } from "@vanilla-extract/css";
import { colour, space, text, weight } from "~/styles/tokens.css";

export const list = style({ display: "grid", margin: 0, padding: 0, listStyle: "none" });

export const item = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: `${space.small} ${space.large}`,
  padding: `${space.medium} ${space.large}`,
  selectors: { "& + &": { borderTop: `1px solid ${colour.line}` } },
});

export const words = style({ display: "grid", gap: space.hair, flex: "1 1 20rem", minWidth: 0 });

export const title = style({ fontSize: text.body, fontWeight: weight.strong });

export const description = style({ color: colour.inkSoft, fontSize: text.small, maxWidth: "80ch" });
