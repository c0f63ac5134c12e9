import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { colour, screen, space, weight } from "~/styles/tokens.css";

export const status = style({
  display: "inline-flex",
  alignItems: "center",
  gap: space.tiny,
  flex: "none",
  minHeight: "1.5rem",
  color: colour.inkSoft,
  "@media": { [screen.narrow]: { maxWidth: "100%" } },
});

globalStyle(`${status} > span`, {
  "@media": { [screen.narrow]: { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } },
});

export const tone = styleVariants(
  { danger: "danger", warning: "warning", success: "success", info: "info" } as const,
  (name) => ({
    color: colour[name].ink,
    fontWeight: weight.medium,
  }),
);
