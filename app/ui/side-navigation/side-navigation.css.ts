import { globalStyle, style } from "@vanilla-extract/css";
import { scrolledToCurrent, scrollTarget } from "~/styles/scrolled-to-current.css";
import { colour, screen, space, text, weight } from "~/styles/tokens.css";
import { currentRow, currentRowInForcedColours, navigationRow } from "./navigation-row";

export const navigation = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.large });

/** One scrolling row where the navigation is above the content, like tabs. */
export const flowing = style({
  "@media": {
    [screen.narrow]: {
      display: "flex",
      gap: space.small,
      overflowX: "auto",
      scrollbarWidth: "none",
      ...scrolledToCurrent,
    },
  },
});

globalStyle(`${flowing} ul`, { "@media": { [screen.narrow]: { display: "flex" } } });
globalStyle(`${flowing} > * + *`, {
  "@media": { [screen.narrow]: { borderInlineStart: `1px solid ${colour.line}`, paddingInlineStart: space.small } },
});

/** For screen readers only in a single row: the lists are named by them anyway. */
export const groupLabel = style({
  padding: `${space.tiny} ${space.small}`,
  color: colour.inkSoft,
  fontSize: text.tiny,
  fontWeight: weight.strong,
  selectors: { [`${flowing} &`]: { "@media": { [screen.narrow]: { display: "none" } } } },
});

export const link = style({
  ...navigationRow,
  display: "flex",
  alignItems: "baseline",
  gap: space.small,
  color: colour.inkSoft,
  textDecoration: "none",
  overflowWrap: "anywhere",
  ":hover": { background: colour.neutral.soft, color: colour.ink },
  selectors: {
    "&[aria-current]": { ...currentRow, ...scrollTarget },
  },
  "@media": {
    [screen.narrow]: { selectors: { [`${flowing} &`]: { whiteSpace: "nowrap", paddingBlock: space.small } } },
    [screen.touch]: { paddingBlock: "0.625rem" },
    ...currentRowInForcedColours,
  },
});

export const label = style({ flex: 1, minWidth: 0 });
