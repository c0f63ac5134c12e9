import { style } from "@vanilla-extract/css";
import { colour, font, text, weight } from "~/styles/tokens.css";

export const name = style({ fontSize: text.small });

export const method = style({
  marginRight: "0.25rem",
  color: colour.inkSoft,
  fontFamily: font.code,
  fontWeight: weight.strong,
  fontSize: text.tiny,
});

/** A path has no spaces to break at. */
export const path = style({ overflowWrap: "anywhere" });
