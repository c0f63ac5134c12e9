import { style, styleVariants } from "@vanilla-extract/css";
import { colour, radius, space, text, weight } from "~/styles/tokens.css";

export const frame = style({
  minWidth: 0,
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
  // Inside, or the frame would cut the ring off.
  ":focus-visible": { outlineOffset: -2, borderRadius: radius.medium },
});

export const wrapped = style({ whiteSpace: "pre-wrap", overflowWrap: "anywhere" });

/** Numbered lines fill the width, so that a mark spans it however far the text scrolls. */
export const numbered = style({ display: "grid", gridTemplateColumns: "minmax(max-content, 1fr)", paddingInline: 0 });

export const line = style({
  display: "block",
  paddingInlineEnd: space.medium,
  borderInlineStart: "3px solid transparent",
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

export const mark = styleVariants(tones, ({ soft, solid }) => ({ background: soft, borderColor: solid }));

export const note = styleVariants(tones, ({ ink }) => ({
  marginInlineStart: space.large,
  color: ink,
  fontWeight: weight.medium,
}));
