import { style } from "@vanilla-extract/css";
import { colour, radius, shadow, space } from "~/styles/tokens.css";
import { sideBySide } from "./layout-break.ts";

export const sides = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: space.huge,
  alignItems: "start",
  "@media": { [sideBySide]: { gridTemplateColumns: "minmax(0, 1fr) 24rem" } },
});

export const form = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.large });

export const response = style({
  "@media": { [sideBySide]: { position: "sticky", top: "5rem", maxHeight: "calc(100dvh - 6rem)", overflow: "auto" } },
});

export const actions = style({
  position: "sticky",
  bottom: 0,
  zIndex: 1,
  display: "flex",
  flexWrap: "wrap",
  gap: space.small,
  padding: space.medium,
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
  boxShadow: shadow.low,
});

export const last = style({ marginInlineStart: "auto" });
