import { style } from "@vanilla-extract/css";
import { colour, space, text, weight } from "~/styles/tokens.css";

export const list = style({ display: "grid", margin: 0, padding: 0, listStyle: "none" });

export const item = style({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  gap: space.medium,
  padding: `${space.small} ${space.large}`,
  selectors: { "& + &": { borderTop: `1px solid ${colour.line}` } },
});

export const words = style({ display: "grid", minWidth: 0, overflowWrap: "anywhere" });

export const name = style({ fontWeight: weight.medium });

export const details = style({ color: colour.inkSoft, fontSize: text.small });
