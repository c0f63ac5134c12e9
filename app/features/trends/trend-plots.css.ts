import { style } from "@vanilla-extract/css";
import { colour, radius, screen, space, text, weight } from "~/styles/tokens.css";

/** Below each other, so that a moment is at the same place in all. */
export const plots = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.huge });

export const pair = style({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 24rem), 1fr))",
  gap: `${space.huge} ${space.section}`,
});

export const marks = style({ display: "grid", gap: space.tiny, fontSize: text.small });

/** Aligns the first and the last label with the content above and below. */
export const ranges = style({ display: "flex", flexWrap: "wrap", gap: space.tiny, marginInline: `-${space.small}` });

export const range = style({
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
