import { style } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

export const list = style({ display: "grid", fontSize: text.small });

export const header = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) auto",
  alignItems: "center",
  gap: space.small,
  borderBottom: `1px solid ${colour.line}`,
  overflowWrap: "anywhere",
});

export const name = style({ color: colour.inkSoft });
