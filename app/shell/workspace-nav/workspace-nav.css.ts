import { style } from "@vanilla-extract/css";
import { colour, measure, space, text, weight } from "~/styles/tokens.css";

export const bar = style({
  background: colour.surface,
  borderBottom: `1px solid ${colour.line}`,
  "@media": { print: { display: "none" } },
});

export const places = style({
  display: "flex",
  gap: space.huge,
  maxWidth: measure.page,
  margin: "0 auto",
  padding: `0 ${space.large}`,
});

export const place = style({
  display: "block",
  padding: `${space.small} 0`,
  borderBottom: "2px solid transparent",
  color: colour.inkSoft,
  fontSize: text.small,
  fontWeight: weight.medium,
  textDecoration: "none",
  selectors: {
    "&:hover": { color: colour.ink },
    "&[aria-current]": { color: colour.ink, borderBottomColor: colour.accent },
  },
});
