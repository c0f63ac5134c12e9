import { style } from "@vanilla-extract/css";
import { colour, radius, space, weight } from "~/styles/tokens.css";

/** The comment, with its line breaks. */
export const comment = style({
  display: "block",
  padding: `${space.small} ${space.medium}`,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.medium,
  background: colour.sunken,
  fontWeight: weight.normal,
  whiteSpace: "pre-line",
  overflowWrap: "anywhere",
});

export const editor = style({ padding: space.large, borderBottom: `1px solid ${colour.line}` });
