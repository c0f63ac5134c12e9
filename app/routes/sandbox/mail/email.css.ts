import { style } from "@vanilla-extract/css";
import { font, measure } from "~/styles/tokens.css";

/** As a mail reader displays plain text: its own line breaks, and long addresses broken where necessary. */
export const email = style({
  margin: 0,
  maxWidth: measure.prose,
  fontFamily: font.text,
  fontSize: "inherit",
  whiteSpace: "pre-wrap",
  overflowWrap: "anywhere",
});
