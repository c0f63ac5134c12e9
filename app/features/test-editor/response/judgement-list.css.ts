import { style } from "@vanilla-extract/css";
import { space, text } from "~/styles/tokens.css";

export const list = style({ display: "grid", gap: space.small, fontSize: text.small });

export const item = style({
  display: "grid",
  gridTemplateColumns: "auto minmax(0, 1fr)",
  gap: space.small,
  alignItems: "start",
});
