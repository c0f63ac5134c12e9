import { style } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

export const state = style({ rowGap: space.hair });

export const counts = style({
  display: "inline-flex",
  flexWrap: "wrap",
  columnGap: space.small,
  color: colour.inkSoft,
  fontSize: text.tiny,
  lineHeight: "1.5rem",
});
