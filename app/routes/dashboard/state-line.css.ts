import { style, styleVariants } from "@vanilla-extract/css";
import { colour, radius, space, text, weight } from "~/styles/tokens.css";

const tones = {
  neutral: colour.neutral,
  success: colour.success,
  warning: colour.warning,
  danger: colour.danger,
  info: colour.info,
};

export const line = style({
  display: "flex",
  gap: space.small,
  padding: `${space.medium} ${space.large}`,
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.medium,
  fontSize: text.lead,
});

export const tone = styleVariants(tones, ({ solid }) => ({ borderInlineStart: `3px solid ${solid}` }));

export const icon = styleVariants(tones, ({ ink }) => ({ flex: "none", height: "1lh", color: ink }));

export const parts = style({ display: "flex", flexWrap: "wrap", columnGap: space.small });

/** Separated by a comma that stays with its part where the line wraps. */
export const part = style({
  selectors: {
    "&:first-child": { fontWeight: weight.strong },
    "&:not(:last-child)::after": { content: '","' },
  },
});
