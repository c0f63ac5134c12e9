import { globalStyle, keyframes, style } from "@vanilla-extract/css";
import { colour, radius, shadow, space, text } from "~/styles/tokens.css";

const appear = keyframes({ from: { opacity: 0 } });

const appearLater = keyframes({ from: { opacity: 0, visibility: "hidden" } });

/**
 * A dialog opened by markup is not modal and has no backdrop, so the element itself covers the screen and contains the
 * panel. Closing it removes both.
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
  animation: `${appear} .14s`,
  selectors: { "&[open]": { display: "grid", justifyItems: "center", alignItems: "start" } },
});

/** Appears a second after the page. While it is hidden, `autofocus` can't focus it. */
export const delayed = style({ animation: `${appearLater} .14s 1s both` });

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
  alignItems: "center",
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

// Without script: keeps keyboard and pointer inside by making everything inert that is neither ancestor nor descendant
// of the dialog.
// Unlike the `inert` attribute, which `islands/page-parts` sets, it ends as soon as the dialog closes. Descendants can't
// override
// inertness, so not on the root. Toasts of the page are above the dialog and can still be read out and closed.
const left = `:has(${dialog}[open]), ${dialog}, ${dialog} *, [data-above-dialogs], [data-above-dialogs] *`;
const behind = `body:has(${dialog}[open]:not([data-alone])) :not(${left})`;
globalStyle(behind, { interactivity: "inert" } as never);

// Browsers without `interactivity` (Firefox, Safari) would let the focus out; invisible elements can't take it.
globalStyle(behind, { "@supports": { "not (interactivity: inert)": { visibility: "hidden" } } });
