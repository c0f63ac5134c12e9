import { globalStyle, style } from "@vanilla-extract/css";
import { colour, font, radius, space, text, weight } from "~/styles/tokens.css";

export const tree = style({ fontSize: text.small, overflowWrap: "anywhere" });

export const entries = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.small });

globalStyle(`${tree} > ${entries}`, { marginTop: space.small });

/** Nested levels are attached to a vertical line that shows their parent. */
globalStyle(`${entries} ${entries}`, {
  marginBlock: space.small,
  paddingInlineStart: space.medium,
  borderInlineStart: `1px solid ${colour.line}`,
});

export const groupTitle = style({ marginTop: space.small, color: colour.inkSoft, fontWeight: weight.strong });

export const line = style({ display: "flex", flexWrap: "wrap", alignItems: "baseline", columnGap: space.small });

export const opener = style([line, { cursor: "pointer", listStyle: "none" }]);

globalStyle(`${opener}::-webkit-details-marker`, { display: "none" });
globalStyle(`${opener}::before`, {
  content: "'▸' / ''",
  width: "0.625rem",
  marginInlineEnd: "-0.25rem",
  color: colour.inkFaint,
});
globalStyle(`details[open] > ${opener}::before`, { content: "'▾' / ''" });

export const name = style({ fontFamily: font.code, fontWeight: weight.strong });

export const label = style({ fontWeight: weight.medium });

export const type = style({ color: colour.inkSoft });

export const required = style({ color: colour.danger.ink });

export const mark = style({ color: colour.warning.ink });

export const detail = style({ color: colour.inkSoft });

/** Markdown of one property, as plain as the line it explains. */
export const description = style({ maxWidth: "68ch" });
globalStyle(`${description} > * + *`, { marginTop: space.tiny });
globalStyle(`${description} :where(ul, ol)`, { paddingInlineStart: "1.25rem", listStyle: "disc" });

export const value = style({
  paddingInline: "0.25rem",
  borderRadius: radius.small,
  background: colour.neutral.soft,
  fontFamily: font.code,
});
