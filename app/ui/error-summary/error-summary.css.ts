import { style } from "@vanilla-extract/css";
import { colour, radius, space, text } from "~/styles/tokens.css";

export const summary = style({
  display: "grid",
  gap: space.small,
  padding: space.large,
  background: colour.danger.soft,
  border: `1px solid ${colour.danger.line}`,
  borderInlineStart: `4px solid ${colour.danger.solid}`,
  borderRadius: radius.medium,
});

export const title = style({ fontSize: text.body, color: colour.danger.ink });

export const list = style({ display: "grid", gap: space.tiny, fontSize: "0.875rem" });

export const link = style({ color: colour.danger.ink });
