import { style } from "@vanilla-extract/css";
import { colour, radius, text } from "~/styles/tokens.css";

/** A count next to the name of the counted things. */
export const countBadge = style({
  padding: "0 0.375rem",
  borderRadius: radius.round,
  background: colour.neutral.soft,
  color: colour.inkSoft,
  fontSize: text.tiny,
  fontVariantNumeric: "tabular-nums",
});
