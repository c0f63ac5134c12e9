import { style } from "@vanilla-extract/css";
import { colour, text, weight } from "~/styles/tokens.css";

export const operation = style({ overflowWrap: "anywhere" });

export const summary = style({
  display: "block",
  color: colour.inkSoft,
  fontSize: text.small,
  fontWeight: weight.normal,
});

export const word = style({ fontWeight: weight.normal });

export const mark = style({ textDecoration: "none", selectors: { "&:hover": { textDecoration: "underline" } } });
