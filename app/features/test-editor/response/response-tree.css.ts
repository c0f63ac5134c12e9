import { style, styleVariants } from "@vanilla-extract/css";
import { syntax } from "~/styles/syntax-colours.css";
import { colour, font, radius, space, text } from "~/styles/tokens.css";

export const tree = style({
  maxHeight: "32rem",
  overflow: "auto",
  padding: space.small,
  background: colour.sunken,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.medium,
  fontFamily: font.code,
  fontSize: text.tiny,
  lineHeight: 1.6,
});

export const branch = style({});

export const line = style({ overflowWrap: "anywhere" });

export const opener = style({ cursor: "pointer" });

export const children = style({
  marginInlineStart: space.small,
  paddingInlineStart: space.small,
  borderInlineStart: `1px solid ${colour.line}`,
});

export const name = style({ color: colour.inkSoft });

export const size = style({ color: colour.inkSoft });

const button = style({
  padding: "0 0.25rem",
  background: "none",
  border: 0,
  borderRadius: radius.small,
  marginInlineStart: "-0.25rem",
  textAlign: "start",
  overflowWrap: "anywhere",
  ":hover": { background: colour.accentSoft, textDecoration: "underline" },
});

export const value = styleVariants({
  string: [button, { color: syntax.string }],
  number: [button, { color: syntax.number }],
  boolean: [button, { color: syntax.keyword }],
  null: [button, { color: syntax.keyword }],
  array: [button, { color: colour.accent }],
  object: [button, { color: colour.accent }],
});
