import { style } from "@vanilla-extract/css";
import { colour, text, weight } from "~/styles/tokens.css";

/** Below the name of the failed test. */
export const reasonLine = style({
  color: colour.inkSoft,
  fontSize: text.small,
  fontWeight: weight.normal,
  overflowWrap: "anywhere",
});
