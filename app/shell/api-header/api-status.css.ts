import { style, styleVariants } from "@vanilla-extract/css";
import { colour, space, weight } from "~/styles/tokens.css";

export const status = style({
  display: "inline-flex",
  alignItems: "center",
  gap: space.tiny,
  flex: "none",
  minHeight: "1.5rem",
  color: colour.inkSoft,
});

export const tone = styleVariants(
  { danger: "danger", warning: "warning", success: "success", info: "info" } as const,
  (name) => ({
    color: colour[name].ink,
    fontWeight: weight.medium,
  }),
);
