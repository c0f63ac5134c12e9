import { style } from "@vanilla-extract/css";
import { colour } from "~/styles/tokens.css";

/** As narrow as its content, but never one button below the other. */
export const actions = style({ selectors: { "&&": { flexWrap: "nowrap" } } });

/** As large as a finger needs. */
export const tick = style({
  display: "block",
  width: "1.5rem",
  height: "1.5rem",
  margin: 0,
  accentColor: colour.accent,
});
