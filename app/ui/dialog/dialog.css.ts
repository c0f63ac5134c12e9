import { globalStyle, keyframes, style } from "@vanilla-extract/css";
import { colour, radius, shadow, space, text } from "~/styles/tokens.css";

const appear = keyframes({ from: { opacity: 0, visibility: "hidden" }, to: { opacity: 1, visibility: "visible" } });

/**
 * A dialog opened by markup is not modal and has no backdrop, so it is its own: it covers the screen and holds the panel.
 * Closing it takes both away.
 */
export const dialog = style({
  position: "fixed",
  zIndex: 20,
  inset: 0,
  width: "100%",
  maxWidth: "none",
  height: "100%",
  maxHeight: "none",
  margin: 0,
  padding: space.large,
  overflowY: "auto",
  background: colour.scrim,
  color: colour.ink,
  border: 0,
  animation: `${appear} .14s both`,
  selectors: { "&[open]": { display: "grid", justifyItems: "center", alignItems: "start" } },
});

/** Comes back a second after the page opened. */
export const delayed = style({ animationDelay: "1s" });

export const panel = style({
  width: "min(28rem, 100%)",
  marginBlock: "min(16vh, 9rem) 2rem",
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
  boxShadow: shadow.high,
});

export const header = style({
  display: "flex",
  alignItems: "flex-start",
  justifyContent: "space-between",
  gap: space.medium,
  padding: `${space.large} ${space.large} 0`,
});

export const title = style({ fontSize: text.lead });

export const body = style({
  display: "grid",
  gap: space.medium,
  padding: `${space.small} ${space.large} ${space.large}`,
});

export const message = style({ color: colour.inkSoft });

export const footer = style({
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "flex-end",
  gap: space.small,
  padding: `${space.medium} ${space.large}`,
  background: colour.sunken,
  borderTop: `1px solid ${colour.line}`,
  borderRadius: `0 0 ${radius.large} ${radius.large}`,
});

globalStyle(`:root:has(${dialog}[open])`, { overflow: "hidden" });

// Keeps the keyboard inside, and lets go as soon as the dialog closes, which an `inert` attribute can't do without script.
globalStyle(`:root:has(${dialog}[open])`, { interactivity: "inert" } as never);
globalStyle(`${dialog}[open]`, { interactivity: "auto" } as never);
