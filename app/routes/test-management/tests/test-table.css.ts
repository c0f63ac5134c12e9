import { style } from "@vanilla-extract/css";
import { colour } from "~/styles/tokens.css";

/** Large enough for touch. */
export const tick = style({
  display: "block",
  width: "1.5rem",
  height: "1.5rem",
  margin: 0,
  accentColor: colour.accent,
});
