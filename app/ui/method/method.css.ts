import { style, styleVariants } from "@vanilla-extract/css";
import { methodColour } from "~/styles/method-colours.css";
import { font, radius, weight } from "~/styles/tokens.css";

/** As wide as "OPTIONS", so that paths after it are aligned. */
export const methodWidth = "3.75rem";

export const method = style({
  display: "inline-block",
  minWidth: methodWidth,
  maxWidth: "100%",
  padding: "0 0.25rem",
  border: "1px solid",
  borderRadius: radius.small,
  fontFamily: font.code,
  fontWeight: weight.strong,
  fontSize: "0.6875rem",
  lineHeight: 1.55,
  letterSpacing: "0.02em",
  textAlign: "center",
  overflowWrap: "anywhere",
});

export const tint = styleVariants(methodColour, ({ ink, soft, line }) => ({
  color: ink,
  background: soft,
  borderColor: line,
}));
