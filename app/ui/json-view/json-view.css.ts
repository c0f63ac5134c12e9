import { style, styleVariants } from "@vanilla-extract/css";
import { syntax } from "~/styles/syntax-colours.css";
import { colour, font, radius, space, text, weight } from "~/styles/tokens.css";

export const view = style({
  minWidth: 0,
  maxHeight: "44rem",
  padding: `${space.small} 0`,
  overflow: "auto",
  background: colour.sunken,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.medium,
  fontFamily: font.code,
  fontSize: "0.78125rem",
  lineHeight: 1.6,
  overflowWrap: "anywhere",
});

export const line = style({
  display: "block",
  position: "relative",
  padding: `0 ${space.medium} 0 1.625rem`,
  // A shadow and not a border: forced colours would show transparent borders.
  ":target": { background: colour.accentSoft, boxShadow: `inset 3px 0 ${colour.accent}` },
});

export const branch = style({});

/** The first line of an object; its triangle is drawn in the margin. */
export const opener = style([
  line,
  {
    listStyle: "none",
    cursor: "pointer",
    // A target for fingers: 24 px.
    lineHeight: "1.5rem",
    ":hover": { background: colour.neutral.soft },
    ":focus-visible": { outlineOffset: -2 },
    "::before": {
      content: "'▸' / ''",
      position: "absolute",
      insetInlineStart: "0.5rem",
      color: colour.inkFaint,
    },
    selectors: {
      "&::-webkit-details-marker": { display: "none" },
      [`${branch}[open] > &::before`]: { content: "'▾' / ''" },
      [`${branch}:target > &`]: {
        background: colour.accentSoft,
        boxShadow: `inset 3px 0 ${colour.accent}`,
      },
    },
  },
]);

/** Placeholder for the content of a closed object. */
export const closedSize = style({
  color: colour.inkFaint,
  selectors: { [`${branch}[open] > ${opener} &`]: { display: "none" } },
});

export const children = style({ paddingInlineStart: "1.125rem" });

export const more = style([line, { color: colour.inkFaint, fontStyle: "italic" }]);

export const key = style({ color: colour.ink, fontWeight: weight.medium });

export const punctuation = style({ color: colour.inkFaint });

export const value = styleVariants({
  string: { color: syntax.string },
  number: { color: syntax.number },
  boolean: { color: syntax.keyword },
  null: { color: syntax.keyword },
});

const tones = {
  neutral: colour.neutral,
  success: colour.success,
  warning: colour.warning,
  danger: colour.danger,
  info: colour.info,
};

export const highlight = styleVariants(tones, ({ soft, solid }) => ({
  background: `${soft} !important`,
  boxShadow: `inset 3px 0 ${solid} !important`,
}));

export const note = styleVariants(tones, ({ ink }) => ({
  display: "inline-flex",
  alignItems: "center",
  gap: space.tiny,
  marginInlineStart: space.medium,
  verticalAlign: "middle",
  color: ink,
  fontFamily: font.text,
  fontSize: text.tiny,
  fontWeight: weight.medium,
}));

export const noteIcon = style({ selectors: { "&&": { width: 12, height: 12, strokeWidth: 2 } } });
