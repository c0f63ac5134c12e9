import { globalStyle, style } from "@vanilla-extract/css";
import { colour, radius, screen, space, text, weight } from "~/styles/tokens.css";

export const navigation = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.large });

/** One row that scrolls where the navigation stands above the content, as tabs are there. */
export const flowing = style({
  "@media": {
    [screen.narrow]: {
      display: "flex",
      gap: space.small,
      overflowX: "auto",
      scrollbarWidth: "none",
    },
  },
});

globalStyle(`${flowing} ul`, { "@media": { [screen.narrow]: { display: "flex" } } });
globalStyle(`${flowing} > * + *`, {
  "@media": { [screen.narrow]: { borderInlineStart: `1px solid ${colour.line}`, paddingInlineStart: space.small } },
});

/** In a row only read out: the lists are named by them anyway. */
export const groupLabel = style({
  padding: `${space.tiny} ${space.small}`,
  color: colour.inkSoft,
  fontSize: text.tiny,
  fontWeight: weight.strong,
  selectors: { [`${flowing} &`]: { "@media": { [screen.narrow]: { display: "none" } } } },
});

export const link = style({
  display: "flex",
  alignItems: "baseline",
  gap: space.small,
  padding: `0.3125rem ${space.small}`,
  borderRadius: radius.small,
  color: colour.inkSoft,
  fontSize: text.small,
  textDecoration: "none",
  overflowWrap: "anywhere",
  ":hover": { background: colour.neutral.soft, color: colour.ink },
  ":focus-visible": { outlineOffset: -2 },
  selectors: {
    "&[aria-current]": {
      background: colour.accentSoft,
      color: colour.ink,
      fontWeight: weight.strong,
      boxShadow: `inset 2px 0 ${colour.accent}`,
    },
  },
  "@media": {
    [screen.narrow]: { selectors: { [`${flowing} &`]: { whiteSpace: "nowrap", paddingBlock: space.small } } },
    [screen.touch]: { paddingBlock: "0.625rem" },
    "(forced-colors: active)": { selectors: { "&[aria-current]": { border: "1px solid" } } },
  },
});

export const label = style({ flex: 1, minWidth: 0 });
