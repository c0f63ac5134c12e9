import { globalStyle, style } from "@vanilla-extract/css";
import { colour, radius, space, text } from "~/styles/tokens.css";

export const card = style({
  display: "flex",
  flexDirection: "column",
  minWidth: 0,
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
});

export const header = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: `${space.tiny} ${space.large}`,
  minHeight: "3.25rem",
  padding: `0.625rem ${space.large}`,
  borderBottom: `1px solid ${colour.line}`,
  // Alone it needs no line beside the card's own.
  selectors: { "&:not(:has(~ :not(:empty)))": { borderBottom: 0 } },
});

export const title = style({ fontSize: text.body });

export const description = style({ color: colour.inkSoft, fontSize: text.small });

export const actions = style({ display: "flex", flexWrap: "wrap", gap: space.small });

export const body = style({ flex: 1, padding: space.large, ":empty": { display: "none" } });

export const flush = style({ flex: 1, minWidth: 0 });

export const footer = style({
  padding: `${space.medium} ${space.large}`,
  borderTop: `1px solid ${colour.line}`,
  color: colour.inkSoft,
  fontSize: text.small,
  // Without a body between them the header's border is enough.
  selectors: { [`${header} + &`]: { borderTop: 0 } },
});

export const sticky = style({
  position: "sticky",
  bottom: 0,
  zIndex: 1,
  background: colour.surface,
  borderRadius: `0 0 ${radius.large} ${radius.large}`,
});

// A field that gets the focus scrolls to above it.
globalStyle(`${card}:has(> ${sticky}) :is(input, select, textarea)`, { scrollMarginBottom: "5rem" });
