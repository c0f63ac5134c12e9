import { style } from "@vanilla-extract/css";
import { colour, space } from "~/styles/tokens.css";

export const frame = style({ position: "relative", display: "grid", alignItems: "center" });

export const select = style({
  appearance: "none",
  textOverflow: "ellipsis",
  selectors: { "&&": { paddingInlineEnd: "1.875rem" } },
});

export const arrow = style({
  position: "absolute",
  insetInlineEnd: space.small,
  color: colour.inkSoft,
  pointerEvents: "none",
});
