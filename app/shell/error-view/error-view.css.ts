import { style } from "@vanilla-extract/css";
import { colour, measure, space, text } from "~/styles/tokens.css";

/** In the middle, also on a wide screen: there is nothing beside it. */
export const view = style({
  display: "grid",
  justifyItems: "center",
  gap: space.large,
  width: "100%",
  maxWidth: measure.form,
  marginInline: "auto",
  paddingBlock: space.section,
  textAlign: "center",
  overflowWrap: "anywhere",
});

export const sentence = style({ color: colour.inkSoft, fontSize: text.lead, textWrap: "balance" });

export const actions = style({
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "center",
  gap: space.small,
  marginTop: space.small,
});
