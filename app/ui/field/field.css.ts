import { globalStyle, style } from "@vanilla-extract/css";
import { colour, controlHeight, measure, radius, screen, space, text, weight } from "~/styles/tokens.css";

export const field = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.tiny });

// No wider than a form: a longer one would not hint at what to enter. Code takes all there is.
globalStyle(`:where(${field})`, { maxWidth: measure.form });

export const label = style({ fontSize: "0.875rem", fontWeight: weight.medium });

export const optional = style({ color: colour.inkFaint, fontWeight: weight.normal, fontSize: text.small });

export const hint = style({ color: colour.inkSoft, fontSize: text.small });

export const errors = style({
  display: "flex",
  gap: "0.375rem",
  color: colour.danger.ink,
  fontSize: text.small,
  fontWeight: weight.medium,
});

export const errorIcon = style({ selectors: { "&&": { width: 14, height: 14, marginTop: 3, strokeWidth: 2 } } });

/** Shared by text fields, selects and file fields. */
export const control = style({
  width: "100%",
  minWidth: 0,
  minHeight: controlHeight.medium,
  padding: `0.3125rem 0.625rem`,
  background: colour.surface,
  border: `1px solid ${colour.lineControl}`,
  borderRadius: radius.medium,
  fontSize: "0.875rem",
  lineHeight: 1.4,
  "::placeholder": { color: colour.inkFaint, opacity: 1 },
  ":focus-visible": { outlineOffset: -1, borderColor: colour.accent },
  ":disabled": { background: colour.sunken, color: colour.inkSoft, cursor: "not-allowed" },
  selectors: {
    "&:read-only:not(select, [type=file])": { background: colour.sunken },
    "&[aria-invalid=true]": { borderColor: colour.danger.solid, boxShadow: `inset 0 0 0 1px ${colour.danger.solid}` },
  },
  "@media": {
    // 16 px, since a smaller font makes iOS zoom into the page.
    [screen.touch]: { minHeight: "2.75rem", fontSize: "1rem" },
  },
});

export const code = style({ fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" });
