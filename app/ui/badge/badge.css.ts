import { style, styleVariants } from "@vanilla-extract/css";
import { colour, radius, text, weight } from "~/styles/tokens.css";

export const badge = style({
  display: "inline-flex",
  alignItems: "center",
  // As wide as its text, also as a grid item: a cell of a stacked table would stretch it.
  justifySelf: "start",
  gap: "0.3125rem",
  maxWidth: "100%",
  padding: "0.0625rem 0.4375rem",
  border: "1px solid",
  borderRadius: radius.small,
  fontSize: text.tiny,
  fontWeight: weight.medium,
  lineHeight: 1.5,
  whiteSpace: "nowrap",
  verticalAlign: "middle",
  // The underline of a surrounding link does not extend into an inline block.
  selectors: {
    "a > &[data-standing]": { textDecorationLine: "underline" },
    "a:hover > &[data-standing]": { textDecorationThickness: 2 },
  },
});

export const tone = styleVariants(
  {
    neutral: colour.neutral,
    success: colour.success,
    warning: colour.warning,
    danger: colour.danger,
    info: colour.info,
  },
  ({ ink, soft, line }) => ({ color: ink, background: soft, borderColor: line }),
);

export const icon = style({ selectors: { "&&": { width: 12, height: 12, marginInlineStart: -1, strokeWidth: 2 } } });
