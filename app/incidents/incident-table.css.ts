import { style } from "@vanilla-extract/css";
import { colour, text, weight } from "~/styles/tokens.css";

export const reason = style({
  display: "block",
  color: colour.inkSoft,
  fontSize: text.small,
  fontWeight: weight.normal,
  overflowWrap: "anywhere",
});
