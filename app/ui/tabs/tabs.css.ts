import { style } from "@vanilla-extract/css";
import { scrolledToCurrent, scrollTarget } from "~/styles/scrolled-to-current.css";
import { colour, screen, space, weight } from "~/styles/tokens.css";

export const list = style({
  display: "flex",
  gap: space.tiny,
  overflowX: "auto",
  scrollbarWidth: "none",
  ...scrolledToCurrent,
  boxShadow: `inset 0 -1px ${colour.line}`,
});

export const tab = style({
  display: "flex",
  alignItems: "center",
  gap: space.small,
  padding: `${space.small} ${space.small} 0.5625rem`,
  borderBottom: "2px solid transparent",
  color: colour.inkSoft,
  fontSize: "0.875rem",
  fontWeight: weight.medium,
  textDecoration: "none",
  whiteSpace: "nowrap",
  ":hover": { color: colour.ink, borderBottomColor: colour.lineControl },
  // Inset, since the scrolling list would clip the ring.
  ":focus-visible": { outlineOffset: -2 },
  selectors: { "&[aria-current]": { ...scrollTarget, color: colour.ink, borderBottomColor: colour.accent } },
  "@media": {
    [screen.touch]: { minHeight: "2.75rem" },
    // Forced colours give all borders one colour, also transparent ones.
    "(forced-colors: active)": { selectors: { "&:not([aria-current])": { borderBottomStyle: "none" } } },
  },
});
