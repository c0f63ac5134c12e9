import { style, styleVariants } from "@vanilla-extract/css";
import { colour, radius, space, text, weight } from "~/styles/tokens.css";

export const state = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: `${space.small} ${space.huge}`,
  padding: `${space.medium} ${space.large}`,
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderInlineStartWidth: 3,
  borderRadius: radius.large,
});

export const edge = styleVariants({
  success: { borderInlineStartColor: colour.success.solid },
  warning: { borderInlineStartColor: colour.warning.solid },
  danger: { borderInlineStartColor: colour.danger.solid },
  info: { borderInlineStartColor: colour.info.solid },
  neutral: { borderInlineStartColor: colour.neutral.solid },
});

export const words = style({ display: "flex", alignItems: "baseline", gap: space.small, minWidth: 0 });

export const icon = styleVariants(
  {
    success: colour.success,
    warning: colour.warning,
    danger: colour.danger,
    info: colour.info,
    neutral: colour.neutral,
  },
  ({ ink }) => ({ flex: "none", alignSelf: "start", marginTop: "0.3rem", color: ink }),
);

export const line = style({ fontSize: text.lead, fontWeight: weight.strong });

export const detail = style({ color: colour.inkSoft, fontSize: text.small });
