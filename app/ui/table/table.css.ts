import { createContainer, globalStyle, style } from "@vanilla-extract/css";
import { colour, radius, space, text, weight } from "~/styles/tokens.css";

/**
 * The table measures the room it stands in, not the screen: in a narrow column it stacks just as on a phone.
 * Sideways scrolling is no way out, since a scroll container would take the sticky heading with it.
 */
const room = createContainer();
const stacked = `${room} (max-width: 36rem)`;

export const frame = style({
  width: "100%",
  containerType: "inline-size",
  containerName: room,
  // A container is a layer of its own: an open menu in a row must cover what comes after the table.
  selectors: { "&:has(details[open])": { position: "relative", zIndex: 2 } },
});

export const framed = style({
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
});

export const table = style({
  width: "100%",
  fontSize: text.small,
  "@container": { [stacked]: { display: "block" } },
});

export const caption = style({
  padding: `${space.medium} ${space.large}`,
  textAlign: "start",
  fontSize: text.body,
  fontWeight: weight.strong,
  borderBottom: `1px solid ${colour.line}`,
  "@container": { [stacked]: { display: "block" } },
});

export const head = style({ "@container": { [stacked]: { display: "none" } } });

export const body = style({ "@container": { [stacked]: { display: "block" } } });

export const headCell = style({
  padding: `${space.small} ${space.medium}`,
  background: colour.sunken,
  color: colour.inkSoft,
  fontSize: text.tiny,
  fontWeight: weight.medium,
  whiteSpace: "nowrap",
  verticalAlign: "bottom",
  selectors: {
    "&:first-child": { paddingInlineStart: space.large, borderStartStartRadius: 9 },
    "&:last-child": { paddingInlineEnd: space.large, borderStartEndRadius: 9 },
    // Under a visible caption the heading is no longer at the rounded corner.
    [`${caption} ~ ${head} &`]: { borderRadius: 0 },
  },
});

/** Stays below whatever the page keeps at its top edge. */
export const sticky = style({
  position: "sticky",
  top: 0,
  zIndex: 1,
  boxShadow: `inset 0 -1px ${colour.line}`,
});

export const sortLink = style({
  display: "inline-flex",
  alignItems: "center",
  gap: space.tiny,
  color: "inherit",
  textDecoration: "none",
  ":hover": { color: colour.ink },
  selectors: { "&[data-sorted]": { color: colour.ink, fontWeight: weight.strong } },
});

export const row = style({
  borderTop: `1px solid ${colour.line}`,
  selectors: { [`${body} > &:first-child`]: { borderTopColor: "transparent" } },
  "@container": { [stacked]: { display: "block", padding: `${space.medium} ${space.large}` } },
});

export const cell = style({
  padding: `0.5625rem ${space.medium}`,
  fontWeight: weight.normal,
  textAlign: "start",
  verticalAlign: "middle",
  overflowWrap: "anywhere",
  selectors: {
    "&:first-child": { paddingInlineStart: space.large },
    "&:last-child": { paddingInlineEnd: space.large },
    [`${row}:hover > &`]: { background: colour.sunken },
    [`${row}:target > &`]: { background: colour.accentSoft },
    [`${row}:last-child > &:first-child`]: { borderEndStartRadius: 9 },
    [`${row}:last-child > &:last-child`]: { borderEndEndRadius: 9 },
  },
  "@container": {
    [stacked]: {
      display: "grid",
      gridTemplateColumns: "minmax(6rem, 34%) minmax(0, 1fr)",
      alignItems: "baseline",
      gap: space.medium,
      padding: `${space.hair} 0 !important`,
      selectors: {
        "&[data-label]::before": { content: "attr(data-label)", color: colour.inkSoft, fontSize: text.tiny },
        "&:empty": { display: "none" },
      },
    },
  },
});

/** The cell that names its row: first on a phone, as a heading of the stack. */
export const rowHeader = style({
  fontWeight: weight.medium,
  "@container": { [stacked]: { display: "block", paddingBottom: `${space.tiny} !important`, fontSize: text.body } },
});

globalStyle(`${rowHeader} a`, { color: "inherit" });

export const numeric = style({
  whiteSpace: "nowrap",
  textAlign: "end",
  fontVariantNumeric: "tabular-nums",
  "@container": { [stacked]: { textAlign: "start" } },
});

/** As wide as what it holds: state badges, buttons. */
export const tight = style({ width: "1%", whiteSpace: "nowrap", "@container": { [stacked]: { width: "auto" } } });

globalStyle(`td.${tight} > *`, { flexWrap: "nowrap" });
