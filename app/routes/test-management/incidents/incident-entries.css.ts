import { style } from "@vanilla-extract/css";
import { colour, radius, space, weight } from "~/styles/tokens.css";

/** What a person wrote, with the line breaks they typed. */
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
