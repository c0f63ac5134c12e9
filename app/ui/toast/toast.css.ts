import { keyframes, style, styleVariants } from "@vanilla-extract/css";
import { colour, radius, screen, shadow, space, text, weight } from "~/styles/tokens.css";

const arrive = keyframes({ from: { opacity: 0, transform: "translateY(-8px)" } });
const leave = keyframes({ to: { opacity: 0, visibility: "hidden" } });

export const region = style({
  position: "fixed",
  zIndex: 25,
  top: space.large,
  insetInlineEnd: space.large,
  display: "grid",
  gap: space.small,
  width: "min(23rem, calc(100vw - 2rem))",
  pointerEvents: "none",
  "@media": { print: { display: "none" } },
});

export const toast = style({
  "@media": { [screen.motion]: { animation: `${arrive} .18s ease-out` } },
});

/** Hides five seconds after the page opened, and waits while it is hovered or has the focus. */
export const passing = style({
  animation: `${leave} .3s 5s forwards`,
  selectors: { "&:hover, &:focus-within": { animationPlayState: "paused" } },
  "@media": { [screen.motion]: { animation: `${arrive} .18s ease-out, ${leave} .3s 5s forwards` } },
});

export const panel = style({
  position: "static",
  width: "100%",
  margin: 0,
  padding: `${space.medium} ${space.medium} ${space.medium} ${space.large}`,
  border: "1px solid",
  borderRadius: radius.medium,
  boxShadow: shadow.high,
  fontSize: "0.875rem",
  pointerEvents: "auto",
});

export const variant = styleVariants({
  primary: { background: colour.surface, color: colour.ink, borderColor: colour.accent },
  dark: { background: colour.action, color: colour.onAction, borderColor: colour.action },
  success: { background: colour.success.soft, color: colour.ink, borderColor: colour.success.line },
  warning: { background: colour.warning.soft, color: colour.ink, borderColor: colour.warning.line },
  danger: { background: colour.danger.soft, color: colour.ink, borderColor: colour.danger.line },
  info: { background: colour.info.soft, color: colour.ink, borderColor: colour.info.line },
});

export const iconColour = styleVariants({
  primary: { color: colour.accent },
  dark: {},
  success: { color: colour.success.ink },
  warning: { color: colour.warning.ink },
  danger: { color: colour.danger.ink },
  info: { color: colour.info.ink },
});

export const header = style({ display: "flex", alignItems: "center", gap: space.small, minHeight: "1.75rem" });

export const title = style({ flex: 1, minWidth: 0, fontWeight: weight.strong });

export const when = style({ flex: "none", fontSize: text.tiny, opacity: 0.85 });

/** Takes the toast's own colours, whatever its variant. */
export const close = style({
  display: "inline-flex",
  padding: "0.375rem",
  background: "none",
  border: 0,
  borderRadius: radius.small,
  ":hover": { background: "color-mix(in srgb, currentColor 12%, transparent)" },
  "@media": { [screen.touch]: { padding: "0.875rem", margin: "-0.5rem" } },
});

/** Aligned with the title, not with the icon. */
export const message = style({ paddingInlineStart: "1.5rem" });

export const actions = style({
  paddingInlineStart: "1.5rem",
  display: "flex",
  flexWrap: "wrap",
  gap: space.small,
  marginTop: space.small,
});
