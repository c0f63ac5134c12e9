import { style } from "@vanilla-extract/css";
import { colour, radius, shadow, space } from "~/styles/tokens.css";

export const dialog = style({
  maxWidth: "28rem",
  padding: space.huge,
  background: colour.surface,
  color: colour.ink,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
  boxShadow: shadow.high,
});

export const actions = style({
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "flex-end",
  gap: space.small,
  marginTop: space.huge,
});
