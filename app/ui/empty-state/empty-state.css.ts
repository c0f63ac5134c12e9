import { style } from "@vanilla-extract/css";
import { colour, radius, space } from "~/styles/tokens.css";

export const emptyState = style({
  display: "grid",
  justifyItems: "center",
  gap: space.small,
  padding: `${space.section} ${space.huge}`,
  border: `1px dashed ${colour.lineControl}`,
  borderRadius: radius.large,
  textAlign: "center",
});

export const explanation = style({ maxWidth: "46ch", color: colour.inkSoft });

export const action = style({
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "center",
  gap: space.small,
  marginTop: space.small,
});
