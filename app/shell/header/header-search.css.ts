import { globalStyle, style } from "@vanilla-extract/css";
import { colour, controlHeight, font, radius, screen, space, text } from "~/styles/tokens.css";

export const wide = style({ flex: "0 1 18rem", minWidth: 0, "@media": { [screen.narrow]: { display: "none" } } });

export const form = style({ position: "relative" });

export const icon = style({
  position: "absolute",
  insetInlineStart: space.small,
  insetBlock: 0,
  margin: "auto",
  color: colour.inkFaint,
  pointerEvents: "none",
});

export const field = style({
  width: "100%",
  height: controlHeight.medium,
  padding: `0 ${space.huge} 0 2rem`,
  border: `1px solid ${colour.lineControl}`,
  borderRadius: radius.medium,
  background: colour.surface,
  color: colour.ink,
  font: "inherit",
  fontSize: text.small,
});

export const key = style({
  position: "absolute",
  insetInlineEnd: space.small,
  insetBlock: 0,
  height: "1.25rem",
  margin: "auto",
  color: colour.inkFaint,
  fontFamily: font.code,
  fontSize: text.small,
  pointerEvents: "none",
  // Generated, and without a name for screen readers: it only reminds of the key.
  "::after": { content: '"/" / ""' },
});

export const narrow = style({
  display: "grid",
  placeItems: "center",
  width: controlHeight.large,
  height: controlHeight.large,
  marginInlineStart: "auto",
  borderRadius: radius.medium,
  color: colour.inkSoft,
  "@media": { [screen.wide]: { display: "none" } },
});

// The menu follows at once.
globalStyle(`${narrow} ~ details`, { marginInlineStart: `calc(-1 * ${space.large})` });
