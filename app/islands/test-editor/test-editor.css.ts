import { globalStyle, style } from "@vanilla-extract/css";
import { colour, radius, screen, shadow, space, text } from "~/styles/tokens.css";
import { sideBySide } from "./layout-break.ts";

export const form = style({ display: "flex", flexDirection: "column", gap: space.large });

export const sides = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: space.large,
  alignItems: "start",
  "@media": { [sideBySide]: { gridTemplateColumns: "repeat(2, minmax(0, 1fr))" } },
});

/** Not on a low screen, where it would cover too much. */
const tall = "(min-height: 30rem)";
const framed = {
  gap: space.small,
  padding: space.medium,
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
} as const;

/** The request line with the actions; stays visible however long the form is. */
export const line = style({
  display: "contents",
  "@media": {
    [screen.wide]: {
      ...framed,
      display: "flex",
      flexWrap: "wrap",
      alignItems: "center",
    },
    [`${screen.wide} and ${tall}`]: { position: "sticky", top: "3.75rem", zIndex: 2, boxShadow: shadow.low },
  },
});

/** A focused element must not be covered by the line. */
export const fields = style({});
globalStyle(`${fields} :is(input, select, textarea, button, summary)`, {
  scrollMarginTop: "5rem",
  scrollMarginBottom: "5rem",
});

export const response = style({
  minWidth: 0,
  "@media": {
    [`${sideBySide} and ${tall}`]: {
      position: "sticky",
      top: "9.5rem",
      maxHeight: "calc(100dvh - 10.5rem)",
      overflow: "auto",
    },
  },
});

/** On a phone they stay at the bottom, within reach of the thumb. */
export const actions = style({
  display: "flex",
  flexWrap: "wrap",
  gap: space.small,
  "@media": {
    [screen.wide]: { justifyContent: "flex-end" },
    [screen.narrow]: { ...framed, order: 1 },
    [`${screen.narrow} and ${tall}`]: { position: "sticky", bottom: 0, zIndex: 2, boxShadow: shadow.low },
  },
});

/** Hidden without a keyboard, or where script is disabled. */
export const keys = style({
  flexBasis: "100%",
  color: colour.inkSoft,
  fontSize: text.small,
  "@media": {
    [screen.wide]: { textAlign: "end" },
    [screen.touch]: { display: "none" },
    "(scripting: none)": { display: "none" },
  },
});

/** Hidden until the script listens to them. */
export const unheard = style({ visibility: "hidden" });

export const last = style({ marginInlineStart: "auto" });
