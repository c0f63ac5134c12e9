import { colour, radius, space, text, weight } from "~/styles/tokens.css";

/** A row of a list at the side that leads somewhere. */
export const navigationRow = {
  padding: `0.3125rem ${space.small}`,
  borderRadius: radius.small,
  fontSize: text.small,
  ":focus-visible": { outlineOffset: -2 },
} as const;

/** The one that leads to this page; forced colours leave it no background. */
export const currentRow = {
  background: colour.accentSoft,
  color: colour.ink,
  fontWeight: weight.strong,
  boxShadow: `inset 2px 0 ${colour.accent}`,
} as const;

export const currentRowInForcedColours = {
  "(forced-colors: active)": { selectors: { "&[aria-current]": { border: "1px solid" } } },
} as const;
