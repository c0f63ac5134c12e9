import { globalStyle, style } from "@vanilla-extract/css";
import { colour, controlHeight, measure, radius, screen, shadow, space, text, weight } from "~/styles/tokens.css";

export const header = style({
  position: "sticky",
  top: 0,
  zIndex: 20,
  background: colour.surface,
  borderBottom: `1px solid ${colour.line}`,
  "@media": { print: { display: "none" } },
});

export const bar = style({
  display: "flex",
  alignItems: "center",
  gap: space.huge,
  maxWidth: measure.page,
  height: "3.25rem",
  margin: "0 auto",
  padding: `0 ${space.large}`,
});

/** Above the rail, to the edges of the screen. */
export const fullBar = style({ "@media": { [screen.withRail]: { maxWidth: "none" } } });

export const brand = style({
  display: "inline-flex",
  alignItems: "center",
  gap: space.small,
  color: colour.ink,
  fontWeight: weight.strong,
  textDecoration: "none",
  whiteSpace: "nowrap",
});

export const mark = style({ width: "1.5rem", height: "1.5rem", color: colour.accent });

export const wide = style({
  display: "flex",
  flex: 1,
  alignItems: "center",
  justifyContent: "flex-end",
  gap: space.tiny,
  "@media": { [screen.narrow]: { display: "none" } },
});

export const spring = style({ flex: 1, "@media": { [screen.narrow]: { display: "none" } } });

export const narrow = style({ marginInlineStart: "auto", "@media": { [screen.wide]: { display: "none" } } });

export const hamburger = style({
  display: "grid",
  placeItems: "center",
  width: controlHeight.large,
  height: controlHeight.large,
  borderRadius: radius.medium,
  listStyle: "none",
  selectors: { "&::-webkit-details-marker": { display: "none" } },
});

export const sheet = style({
  position: "absolute",
  insetInline: 0,
  top: "100%",
  display: "grid",
  gap: space.hair,
  padding: space.medium,
  background: colour.surface,
  borderBottom: `1px solid ${colour.line}`,
  boxShadow: shadow.high,
});

export const item = style({
  display: "flex",
  alignItems: "center",
  gap: space.small,
  minHeight: controlHeight.medium,
  padding: `0 ${space.medium}`,
  border: 0,
  borderRadius: radius.medium,
  background: "none",
  color: colour.inkSoft,
  fontSize: text.small,
  fontWeight: weight.medium,
  textDecoration: "none",
  whiteSpace: "nowrap",
  selectors: {
    "&:hover": { color: colour.ink, background: colour.sunken },
    "&[aria-current]": { color: colour.ink, background: colour.sunken },
  },
  "@media": { "(forced-colors: active)": { selectors: { "&[aria-current]": { border: "1px solid" } } } },
});

// On small screens every item of the sheet is wide enough for a finger.
globalStyle(`${sheet} button`, { width: "100%" });
