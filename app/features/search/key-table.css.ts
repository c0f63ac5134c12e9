import { style } from "@vanilla-extract/css";
import { colour, font, radius, space, text } from "~/styles/tokens.css";

export const list = style({ display: "grid", gap: space.small, margin: `0 0 ${space.large}` });

export const row = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 13rem) 1fr",
  alignItems: "baseline",
  gap: space.medium,
});

export const what = style({ margin: 0 });

export const key = style({
  display: "inline-block",
  minWidth: "1.5rem",
  padding: `0 ${space.tiny}`,
  background: colour.sunken,
  border: `1px solid ${colour.lineControl}`,
  borderRadius: radius.small,
  fontFamily: font.code,
  fontSize: text.small,
  textAlign: "center",
});
