import { style } from "@vanilla-extract/css";
import { colour, weight } from "~/styles/tokens.css";

export const warning = style({
  display: "flex",
  gap: "0.375rem",
  color: colour.warning.ink,
  fontWeight: weight.medium,
});

export const icon = style({ flex: "none", width: 14, height: 14, marginTop: 3 });
