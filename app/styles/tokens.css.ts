import { createGlobalThemeContract } from "@vanilla-extract/css";
import { light } from "./palettes.ts";

/**
 * The colours by purpose. Their values are set per theme in `themes.css.ts`; no other file contains a literal colour.
 *
 * Only colours and shadows are custom properties, since only they change with a theme: spaces and sizes are constants
 * written into the rules at build time, which keeps the sheet a third smaller than `var()` everywhere.
 */
export const colour = createGlobalThemeContract(light, (_value, path) => path.join("-"));

/** Elevation shadows. */
export const shadow = createGlobalThemeContract({ low: "shadow-low", high: "shadow-high" });

/** Distances, from the gap between an icon and its word to the space between sections. */
export const space = {
  hair: "0.125rem",
  tiny: "0.25rem",
  small: "0.5rem",
  medium: "0.75rem",
  large: "1rem",
  huge: "1.5rem",
  section: "2.5rem",
  page: "4rem",
} as const;

export const radius = { small: "4px", medium: "6px", large: "10px", round: "999px" } as const;

export const font = {
  text: `Geist, "Geist until loaded", -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif`,
  code: `ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace`,
} as const;

/** Font sizes: `small` for dense rows, `body` for reading. */
export const text = {
  tiny: "0.75rem",
  small: "0.8125rem",
  body: "0.9375rem",
  lead: "1.0625rem",
  title: "1.5rem",
  headline: "2rem",
  display: "2.75rem",
} as const;

export const weight = { normal: 400, medium: 500, strong: 600 } as const;

/** Longest comfortable line of prose, a form's width, and the page itself. */
export const measure = { prose: "68ch", form: "38rem", page: "80rem" } as const;

/** Heights of controls in one row. */
export const controlHeight = { small: "1.75rem", medium: "2.125rem", large: "2.625rem" } as const;

/** Media conditions, so that all components share their breakpoints. */
export const screen = {
  narrow: "(max-width: 47.99rem)",
  wide: "(min-width: 48rem)",
  /** The navigation is a row above the content, or a rail beside it. */
  withRow: "(max-width: 63.99rem)",
  withRail: "(min-width: 64rem)",
  touch: "(pointer: coarse)",
  motion: "(prefers-reduced-motion: no-preference)",
} as const;
