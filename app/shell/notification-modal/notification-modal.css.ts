import { style } from "@vanilla-extract/css";
import { colour, space, weight } from "~/styles/tokens.css";

/** The summary, with its priority at the end of the line or below it. */
export const headline = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: space.small,
});

export const summary = style({ color: colour.ink, fontWeight: weight.strong });

export const description = style({ display: "block", marginTop: space.medium });
