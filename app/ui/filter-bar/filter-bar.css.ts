import { globalStyle, style } from "@vanilla-extract/css";
import { colour, space } from "~/styles/tokens.css";

export const form = style({ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: space.small });

export const search = style({ position: "relative", flex: "1 1 14rem", maxWidth: "26rem" });

export const searchIcon = style({
  position: "absolute",
  insetInlineStart: "0.625rem",
  bottom: "calc((2.125rem - 16px) / 2)",
  color: colour.inkFaint,
  pointerEvents: "none",
  "@media": { "(pointer: coarse)": { bottom: "calc((2.75rem - 16px) / 2)" } },
});

globalStyle(`${search} input`, { paddingInlineStart: "2rem" });

export const buttons = style({ display: "flex", gap: space.tiny });

/** Has no size; with the focus, its ring is a line above the list. */
export const listStart = style({ display: "block" });
