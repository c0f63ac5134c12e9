import { createContainer, globalStyle, style } from "@vanilla-extract/css";
import { colour, radius, space, text, weight } from "~/styles/tokens.css";

/**
 * The table measures its container, not the screen: in a narrow column it stacks as on a phone. Horizontal scrolling is
 * no alternative, since a scroll container would break the sticky heading.
 */
const container = createContainer();
export const stacked = `${container} (max-width: 36rem)`;
const sideBySide = `${container} (min-width: 36.01rem)`;

export const frame = style({
  width: "100%",
  containerType: "inline-size",
  containerName: container,
  // A container is a stacking context: an open menu in a row must cover the content after the table.
  selectors: { "&:has(details[open])": { position: "relative", zIndex: 2 } },
});

export const framed = style({
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
});

/** To the end of the table; seen once it has the focus. */
export const skip = style([
  { display: "block", padding: `${space.small} ${space.large}`, fontSize: text.small, fontWeight: weight.medium },
  {
    selectors: {
      "&:not(:focus)": {
        position: "absolute",
        width: 1,
        height: 1,
        padding: 0,
        overflow: "hidden",
        clipPath: "inset(50%)",
      },
    },
  },
]);

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

export const groupRow = style({
  borderTop: `1px solid ${colour.line}`,
  "@container": { [stacked]: { display: "block" } },
});

export const groupName = style({
  padding: `${space.large} ${space.large} ${space.tiny}`,
  textAlign: "start",
  fontSize: text.body,
  fontWeight: weight.strong,
  overflowWrap: "anywhere",
  "@container": { [stacked]: { display: "block" } },
});

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
    // Under a visible caption the heading is not at the rounded corner.
    [`${caption} ~ ${head} &`]: { borderRadius: 0 },
  },
});

/** Below any sticky element at the top of the page. */
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
  // Values are in one flow, so that a row takes a few lines however many there are.
  "@container": {
    [stacked]: {
      position: "relative",
      display: "flex",
      flexWrap: "wrap",
      alignItems: "baseline",
      gap: `${space.hair} ${space.medium}`,
      padding: `${space.small} ${space.large}`,
      selectors: { "&:hover": { background: colour.sunken }, "&:target": { background: colour.accentSoft } },
    },
  },
});

export const cell = style({
  padding: `0.5625rem ${space.medium}`,
  fontWeight: weight.normal,
  textAlign: "start",
  verticalAlign: "middle",
  // Words stay whole. What has no spaces breaks at a third of the table, so that no column pushes the others out.
  overflowWrap: "break-word",
  selectors: {
    "&:first-child": { paddingInlineStart: space.large },
    "&:last-child": { paddingInlineEnd: space.large },
    [`${row}:hover > &`]: { background: colour.sunken },
    [`${row}:target > &`]: { background: colour.accentSoft },
    [`${row}:last-child > &:first-child`]: { borderEndStartRadius: 9 },
    [`${row}:last-child > &:last-child`]: { borderEndEndRadius: 9 },
  },
  "@container": {
    [sideBySide]: { maxWidth: "36cqi" },
    [stacked]: {
      display: "flex",
      flexWrap: "wrap",
      alignItems: "baseline",
      columnGap: space.tiny,
      minWidth: 0,
      overflowWrap: "anywhere",
      padding: "0 !important",
      fontSize: text.tiny,
      selectors: {
        "&[data-label]::before": { content: "attr(data-label)", color: colour.inkSoft, flex: "none" },
        "&:empty": { display: "none" },
        // The row itself has these.
        [`${row}:hover > &`]: { background: "none" },
        [`${row}:target > &`]: { background: "none" },
        // The cell before a row's name, such as its checkbox, stays there.
        "&:first-child": { order: -2 },
      },
    },
  },
});

const edgeLine = (tone: string) =>
  ({
    content: '""',
    position: "absolute",
    insetBlock: 0,
    insetInlineStart: 0,
    borderInlineStart: `3px solid ${tone}`,
  }) as const;

const edgeTones = ["success", "info", "warning", "danger", "neutral"] as const;

/**
 * The edge of a row whose state needs attention. As a border of the row it would take part in the collapsing of the
 * table's borders and move the cells. It belongs to the first cell, and to the row itself where rows are stacked.
 */
export const edge = Object.fromEntries(edgeTones.map((tone) => [tone, style({}, `edge-${tone}`)])) as Record<
  (typeof edgeTones)[number],
  string
>;

for (const tone of edgeTones) {
  const line = edgeLine(colour[tone].solid);
  globalStyle(`${edge[tone]} > :first-child`, { position: "relative" });
  globalStyle(`${edge[tone]} > :first-child::before`, { "@container": { [sideBySide]: line } });
  globalStyle(`${edge[tone]}::before`, { "@container": { [stacked]: line } });
  globalStyle(`${edge[tone]}:last-child > :first-child::before, ${edge[tone]}:last-child::before`, {
    borderEndStartRadius: 9,
  });
}

/** At the end of the line of the row's name where rows are stacked. */
export const beside = style({ "@container": { [stacked]: { order: -1 } } });

// Other values start a new line: next to the name they would leave it too little space.
globalStyle(`${row}:has(> ${beside})::after`, {
  "@container": { [stacked]: { content: '""', order: -1, flexBasis: "100%" } },
});

/** At most one line where rows are stacked, in the remaining space of its line. */
export const clipped = style({
  "@container": {
    [stacked]: {
      display: "block",
      flex: "1 1 6rem",
      overflow: "hidden",
      whiteSpace: "nowrap",
      textOverflow: "ellipsis",
      selectors: { "&[data-label]::before": { marginInlineEnd: space.tiny } },
    },
  },
});

/** The cell that names its row: first on a phone, as a heading of the stack. */
export const rowHeader = style({
  fontWeight: weight.medium,
  // Often a name that users chose, with or without spaces.
  overflowWrap: "anywhere",
  "@container": {
    [sideBySide]: { minWidth: "min(9rem, 25cqi)", selectors: { "&&": { maxWidth: "none" } } },
    [stacked]: {
      display: "block",
      order: -2,
      flex: "1 1 auto",
      maxWidth: "100%",
      fontSize: text.body,
      // A long name wraps next to the cell at the end of its line.
      selectors: {
        [`&:has(~ ${beside})`]: { flexBasis: "7rem" },
        // Next to the row's checkbox, not below it.
        "td + &": { flexBasis: "9rem" },
      },
    },
  },
  // Next to the row's checkbox.
  selectors: { "td + &": { maxWidth: `calc(100% - ${space.huge})` } },
});

globalStyle(`${rowHeader} a`, { color: "inherit" });

export const numeric = style({
  whiteSpace: "nowrap",
  textAlign: "end",
  fontVariantNumeric: "tabular-nums",
  "@container": { [stacked]: { textAlign: "start" } },
});

// The exact time, which shows on hover, starts at the row's start: at the right it would leave the screen.
globalStyle(`${cell} time`, { "@container": { [stacked]: { position: "static" } } });

/** Hidden where rows are stacked. */
export const wideOnly = style({ "@container": { [stacked]: { display: "none" } } });

/** As wide as its content: state badges, buttons. */
export const tight = style({ width: "1%", whiteSpace: "nowrap", "@container": { [stacked]: { width: "auto" } } });

globalStyle(`td.${tight} > *`, { flexWrap: "nowrap" });
