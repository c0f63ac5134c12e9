import { globalStyle, style } from "@vanilla-extract/css";
import { colour, controlHeight, radius, screen, shadow, space, text, weight } from "~/styles/tokens.css";

export const dialog = style({
  width: "min(38rem, calc(100% - 2rem))",
  maxHeight: "min(36rem, calc(100dvh - 4rem))",
  margin: "min(12vh, 6rem) auto auto",
  padding: 0,
  overflow: "hidden",
  background: colour.surface,
  color: colour.ink,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
  boxShadow: shadow.high,
  selectors: {
    "&[open]": { display: "flex", flexDirection: "column" },
    "&::backdrop": { background: colour.scrim },
  },
  "@media": { [screen.narrow]: { margin: `${space.large} auto auto`, maxHeight: "calc(100dvh - 2rem)" } },
});

export const head = style({
  display: "flex",
  alignItems: "center",
  gap: space.small,
  padding: space.small,
  borderBottom: `1px solid ${colour.line}`,
});

export const title = style({ flex: 1, paddingInlineStart: space.small, fontSize: text.lead });

export const field = style({
  flex: 1,
  minWidth: 0,
  height: controlHeight.large,
  padding: `0 ${space.small}`,
  border: 0,
  borderRadius: radius.medium,
  background: "none",
  color: colour.ink,
  font: "inherit",
  fontSize: text.lead,
});

export const close = style({
  minHeight: controlHeight.medium,
  padding: `0 ${space.small}`,
  border: `1px solid ${colour.lineControl}`,
  borderRadius: radius.medium,
  background: colour.surface,
  color: colour.inkSoft,
  font: "inherit",
  fontSize: text.small,
});

export const results = style({ flex: 1, overflowY: "auto", padding: space.small });

globalStyle(`${results}:empty`, { display: "none" });

export const body = style({ overflowY: "auto", padding: space.large });

export const kind = style({
  padding: `${space.small} ${space.small} ${space.tiny}`,
  color: colour.inkSoft,
  fontSize: text.tiny,
  fontWeight: weight.strong,
});

export const option = style({
  display: "grid",
  padding: `${space.tiny} ${space.small}`,
  borderRadius: radius.medium,
  color: colour.ink,
  textDecoration: "none",
  overflowWrap: "anywhere",
  selectors: {
    "&[aria-selected=true]": { background: colour.accentSoft, boxShadow: `inset 3px 0 ${colour.accent}` },
    "&:hover": { background: colour.sunken },
  },
  "@media": {
    "(forced-colors: active)": { selectors: { "&[aria-selected=true]": { outline: "2px solid Highlight" } } },
    [screen.touch]: { minHeight: "2.75rem" },
  },
});

export const name = style({ fontWeight: weight.medium });

export const details = style({
  overflow: "hidden",
  color: colour.inkSoft,
  fontSize: text.small,
  whiteSpace: "nowrap",
  textOverflow: "ellipsis",
});

export const foot = style({
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "space-between",
  gap: space.small,
  padding: `${space.small} ${space.large}`,
  background: colour.sunken,
  borderTop: `1px solid ${colour.line}`,
  color: colour.inkSoft,
  fontSize: text.small,
});
