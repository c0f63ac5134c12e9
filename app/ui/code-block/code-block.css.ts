import { style, styleVariants } from "@vanilla-extract/css";
import { colour, font, radius, space, text, weight } from "~/styles/tokens.css";

export const frame = style({
  width: "100%",
  containerType: "inline-size",
  background: colour.sunken,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.medium,
  overflow: "hidden",
});

export const bar = style({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  gap: space.small,
  minHeight: "2.25rem",
  padding: `${space.tiny} ${space.tiny} ${space.tiny} ${space.medium}`,
  borderBottom: `1px solid ${colour.line}`,
  color: colour.inkSoft,
  fontSize: text.tiny,
  fontWeight: weight.medium,
});

export const code = style({
  padding: space.medium,
  overflow: "auto",
  maxHeight: "36rem",
  fontSize: text.small,
  lineHeight: 1.55,
  tabSize: 2,
  // Inset, since the frame would clip the ring.
  ":focus-visible": { outlineOffset: -2, borderRadius: radius.medium },
});

export const wrapped = style({ whiteSpace: "pre-wrap", overflowWrap: "anywhere" });

/** Numbered lines fill the width, so that a mark spans it however far the text scrolls. */
export const numbered = style({ display: "grid", gridTemplateColumns: "minmax(max-content, 1fr)", paddingInline: 0 });

export const line = style({
  display: "block",
  paddingInlineEnd: space.medium,
  ":target": { background: colour.accentSoft },
  "::before": {
    content: "attr(data-line)",
    display: "inline-block",
    minWidth: "3.25rem",
    marginInlineEnd: space.medium,
    paddingInlineEnd: space.small,
    color: colour.inkFaint,
    textAlign: "end",
    userSelect: "none",
  },
});

const tones = {
  neutral: colour.neutral,
  success: colour.success,
  warning: colour.warning,
  danger: colour.danger,
  info: colour.info,
};

export const mark = styleVariants(tones, ({ soft, solid }) => ({
  background: soft,
  boxShadow: `inset 3px 0 ${solid}`,
}));

export const note = styleVariants(tones, ({ ink }) => ({
  // As wide as the visible part of the block and sticky, so that a note is readable however long the line is.
  position: "sticky",
  insetInlineStart: 0,
  display: "flex",
  gap: space.tiny,
  width: "calc(100cqi - 2px)",
  padding: `0 ${space.medium} ${space.hair} 4.125rem`,
  color: ink,
  fontFamily: font.text,
  fontSize: text.tiny,
  fontWeight: weight.medium,
  whiteSpace: "normal",
}));

export const noteIcon = style({ selectors: { "&&": { width: 12, height: 12, marginTop: 4, strokeWidth: 2 } } });
