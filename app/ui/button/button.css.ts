import { style, styleVariants } from "@vanilla-extract/css";
import { colour, controlHeight, radius, screen, shadow, space, text, weight } from "~/styles/tokens.css";

export const button = style({
  display: "inline-flex",
  alignItems: "center",
  justifyContent: "center",
  gap: "0.4375rem",
  border: "1px solid transparent",
  borderRadius: radius.medium,
  fontWeight: weight.medium,
  lineHeight: 1.2,
  textDecoration: "none",
  textAlign: "center",
  transition: "background-color .12s, border-color .12s",
  "@media": { [screen.touch]: { minHeight: "2.75rem" } },
  selectors: {
    "&:disabled": { opacity: 0.55, cursor: "not-allowed" },
    "&[aria-busy=true]": { cursor: "progress" },
  },
});

/**
 * The forced palette names system colours already; the browser's own backplate behind text would hide it on a filled
 * button.
 */
const keepsFill = { "@media": { "(forced-colors: active)": { forcedColorAdjust: "none" } } } as const;

export const variant = styleVariants({
  primary: {
    ...keepsFill,
    background: colour.action,
    color: colour.onAction,
    ":hover": { background: colour.actionHover },
  },
  secondary: {
    background: colour.surface,
    borderColor: `color-mix(in srgb, ${colour.lineControl} 50%, ${colour.line})`,
    color: colour.ink,
    boxShadow: shadow.low,
    ":hover": { background: colour.sunken, borderColor: colour.lineControl },
  },
  danger: {
    ...keepsFill,
    background: colour.danger.solid,
    color: colour.onDanger,
    ":hover": { filter: "brightness(0.92)" },
  },
  quiet: {
    background: "none",
    color: colour.inkSoft,
    ":hover": { background: colour.sunken, color: colour.ink },
  },
});

export const size = styleVariants({
  small: { minHeight: controlHeight.small, padding: `${space.hair} ${space.small}`, fontSize: text.small },
  medium: { minHeight: controlHeight.medium, padding: `${space.tiny} ${space.medium}`, fontSize: "0.875rem" },
  large: { minHeight: controlHeight.large, padding: `${space.small} 1.125rem`, fontSize: text.body },
});

/** A square around an icon whose name is hidden. */
export const iconOnly = styleVariants({
  small: { width: controlHeight.small, padding: 0, "@media": { [screen.touch]: { width: "2.75rem" } } },
  medium: { width: controlHeight.medium, padding: 0, "@media": { [screen.touch]: { width: "2.75rem" } } },
  large: { width: controlHeight.large, padding: 0, "@media": { [screen.touch]: { width: "2.75rem" } } },
});

export const fullWidth = style({ width: "100%" });
