import { colour, radius, space, text, weight } from "~/styles/tokens.css";

/** A row of a side list that is a link. */
export const navigationRow = {
  padding: `0.3125rem ${space.small}`,
  borderRadius: radius.small,
  fontSize: text.small,
  ":focus-visible": { outlineOffset: -2 },
} as const;

/** The link to the current page; forced colours remove its background. */
export const currentRow = {
  background: colour.accentSoft,
  color: colour.ink,
  fontWeight: weight.strong,
  boxShadow: `inset 2px 0 ${colour.accent}`,
} as const;

export const currentRowInForcedColours = {
  "(forced-colors: active)": { selectors: { "&[aria-current]": { border: "1px solid" } } },
} as const;
