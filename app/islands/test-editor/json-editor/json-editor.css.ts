import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { syntax } from "~/styles/syntax-colours.css";
import { colour, font, radius, shadow, text } from "~/styles/tokens.css";

export const frame = style({
  overflow: "hidden",
  background: colour.surface,
  border: `1px solid ${colour.lineControl}`,
  borderRadius: radius.medium,
  ":focus-within": { borderColor: colour.accent, outline: `2px solid ${colour.accent}`, outlineOffset: -1 },
});

export const token = styleVariants({
  string: { color: syntax.string },
  number: { color: syntax.number },
  keyword: { color: syntax.keyword },
});

const inside = (selector: string) => `${frame} ${selector}`;

globalStyle(inside(".cm-editor"), {
  maxHeight: "32rem",
  fontSize: text.small,
  background: colour.surface,
  color: colour.ink,
});
globalStyle(inside(".cm-editor.cm-focused"), { outline: "none" });
globalStyle(inside(".cm-content"), { caretColor: colour.ink });
globalStyle(inside(":is(.cm-content, .cm-gutter)"), { minHeight: "8rem" });
globalStyle(inside(".cm-scroller"), { fontFamily: font.code, lineHeight: 1.55 });
globalStyle(inside(".cm-gutters"), {
  background: colour.sunken,
  color: colour.inkSoft,
  borderRight: `1px solid ${colour.line}`,
});
globalStyle(inside(".cm-cursor"), { borderLeftColor: colour.ink });
globalStyle(inside(".cm-matchingBracket"), { background: colour.accentSoft });
globalStyle(inside(".cm-tooltip"), {
  background: colour.surface,
  color: colour.ink,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.medium,
  boxShadow: shadow.high,
  fontSize: text.small,
});
globalStyle(inside(".cm-tooltip-autocomplete ul li[aria-selected]"), {
  background: colour.accentSoft,
  color: colour.ink,
});
globalStyle(inside(".cm-completionDetail"), { marginInlineStart: "1em", color: colour.inkSoft, fontStyle: "normal" });
