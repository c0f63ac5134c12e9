import { style } from "@vanilla-extract/css";
import { colour, font, screen, space, text } from "~/styles/tokens.css";

export const list = style({ fontFamily: font.code, fontSize: text.small });

export const header = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 12rem) minmax(0, 1fr)",
  gap: `0 ${space.medium}`,
  padding: `${space.tiny} 0`,
  borderBottom: `1px solid ${colour.line}`,
  "@media": { [screen.narrow]: { gridTemplateColumns: "minmax(0, 1fr)" } },
});

export const name = style({ color: colour.inkSoft, overflowWrap: "anywhere" });

export const value = style({ overflowWrap: "anywhere" });

export const wrong = style({
  display: "flex",
  gap: space.tiny,
  alignItems: "center",
  color: colour.danger.ink,
  fontFamily: font.text,
});
