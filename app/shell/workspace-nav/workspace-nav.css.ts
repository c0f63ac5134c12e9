import { style } from "@vanilla-extract/css";
import { colour, measure, screen, space, text, weight } from "~/styles/tokens.css";

export const bar = style({
  background: colour.surface,
  borderBottom: `1px solid ${colour.line}`,
  "@media": { print: { display: "none" } },
});

const row = {
  maxWidth: measure.page,
  margin: "0 auto",
  padding: `0 ${space.large}`,
};

export const links = style({ ...row, display: "flex", gap: space.huge });

export const link = style({
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
  "@media": {
    [screen.touch]: { paddingBlock: space.medium },
    "(forced-colors: active)": { selectors: { "&:not([aria-current])": { borderBottomStyle: "none" } } },
  },
});

/** The border is the bar's own. */
export const pages = style({ ...row, marginBottom: -1 });
