import { style } from "@vanilla-extract/css";
import { colour, radius, screen, space, text, weight } from "~/styles/tokens.css";

export const list = style({ display: "flex", flexWrap: "wrap", gap: space.tiny });

export const choice = style({
  display: "inline-flex",
  alignItems: "center",
  padding: `${space.tiny} ${space.small}`,
  borderRadius: radius.medium,
  color: colour.inkSoft,
  fontSize: text.small,
  fontWeight: weight.medium,
  textDecoration: "none",
  ":hover": { background: colour.sunken, color: colour.ink },
  selectors: { "&[aria-current]": { background: colour.accentSoft, color: colour.ink } },
  "@media": {
    [screen.touch]: { minHeight: "2.75rem" },
    "(forced-colors: active)": { selectors: { "&[aria-current]": { outline: "2px solid" } } },
  },
});
