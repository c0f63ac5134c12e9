import { style } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

export const pagination = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: space.medium,
});

export const summary = style({ color: colour.inkSoft, fontSize: text.small, fontVariantNumeric: "tabular-nums" });

export const links = style({ display: "flex", gap: space.small, marginInlineStart: "auto" });
