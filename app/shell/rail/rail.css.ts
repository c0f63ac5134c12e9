import { globalStyle, style } from "@vanilla-extract/css";
import { scrolledToCurrent, scrollTarget } from "~/styles/scrolled-to-current.css";
import { colour, radius, screen, space, text, weight } from "~/styles/tokens.css";
import { countBadge } from "~/ui/count/count-badge.css";

/** Of the header above, with its border. */
const headerHeight = "3.3125rem";
const railWidth = "14rem";

/** The rail and the page beside it. */
export const frame = style({
  display: "flex",
  flexDirection: "column",
  flex: 1,
  "@media": {
    [screen.withRail]: {
      display: "grid",
      gridTemplateColumns: `${railWidth} minmax(0, 1fr)`,
      gridTemplateRows: "1fr",
      // Below the rail as well, which is as high as the window.
      backgroundImage: `linear-gradient(to right, ${colour.surface} calc(${railWidth} - 1px), ${colour.line} calc(${railWidth} - 1px) ${railWidth}, transparent ${railWidth})`,
    },
    print: { display: "block" },
  },
});

/** The page and its footer. */
export const beside = style({ display: "flex", flexDirection: "column", flex: 1, minWidth: 0 });

export const rail = style({
  background: colour.surface,
  scrollbarWidth: "none",
  ...scrolledToCurrent,
  fontSize: text.small,
  "@media": {
    [screen.withRow]: { display: "flex", overflowX: "auto", borderBottom: `1px solid ${colour.line}` },
    [screen.withRail]: {
      position: "sticky",
      top: headerHeight,
      maxHeight: `calc(100dvh - ${headerHeight})`,
      padding: `${space.large} ${space.small}`,
      overflowY: "auto",
      scrollbarWidth: "thin",
      // Over the line of the frame, which forced colours leave out.
      borderInlineEnd: `1px solid ${colour.line}`,
    },
    print: { display: "none" },
  },
});

/** Fades lie over the ends of what scrolls; at either end over an empty margin. */
const fade = (side: string) =>
  ({
    content: "",
    position: "sticky",
    zIndex: 1,
    flex: "none",
    width: space.huge,
    background: `linear-gradient(to ${side}, transparent, ${colour.surface})`,
    pointerEvents: "none",
  }) as const;

globalStyle(`${rail}::before`, {
  "@media": { [screen.withRow]: { ...fade("left"), insetInlineStart: 0, width: space.small } },
});
globalStyle(`${rail}::after`, { "@media": { [screen.withRow]: { ...fade("right"), insetInlineEnd: 0 } } });

const inRow = { display: "flex", flex: "none" } as const;

export const sections = style({
  "@media": { [screen.withRow]: inRow, [screen.withRail]: { display: "grid", gap: space.hair } },
});

export const area = style({});
export const open = style({ "@media": { [screen.withRow]: inRow } });
export const up = style({});

globalStyle(`${area} > li:not(${open}, ${up})`, { "@media": { [screen.withRow]: { display: "none" } } });

const row = {
  display: "flex",
  alignItems: "center",
  gap: space.small,
  minHeight: "1.875rem",
  padding: `${space.tiny} ${space.small}`,
  borderRadius: radius.small,
  fontWeight: weight.medium,
} as const;

const link = style({
  ...row,
  color: colour.inkSoft,
  textDecoration: "none",
  // Inset, since what scrolls would clip the ring.
  ":focus-visible": { outlineOffset: -2 },
  selectors: {
    "&:hover": { background: colour.sunken, color: colour.ink },
    "&[aria-current]": { ...scrollTarget, color: colour.ink },
  },
  "@media": {
    [screen.withRow]: {
      minHeight: "2.75rem",
      paddingInline: space.small,
      borderRadius: 0,
      borderBottom: "2px solid transparent",
      whiteSpace: "nowrap",
      selectors: { "&[aria-current]": { borderBottomColor: colour.accent } },
    },
    [screen.withRail]: {
      selectors: {
        "&[aria-current]": { background: colour.accentSoft, boxShadow: `inset 2px 0 ${colour.accent}` },
      },
    },
    [`${screen.withRail} and ${screen.touch}`]: { minHeight: "2.75rem" },
    // Forced colours remove backgrounds and shadows, and give all borders one colour, also transparent ones.
    "(forced-colors: active)": {
      borderBottomStyle: "none",
      selectors: { "&[aria-current]": { borderBottomStyle: "solid", border: "1px solid" } },
    },
  },
});

export const section = style([link]);

/** Where the section's name is no link. In a row its pages say it. */
export const title = style({ ...row, "@media": { [screen.withRow]: { display: "none" } } });

export const mark = style({ "@media": { [screen.withRow]: { display: "none" } } });

globalStyle(`${open} > ${title}, ${open} > ${section}`, { color: colour.ink });

globalStyle(`${up} > ${section}`, {
  "@media": { [screen.withRow]: { borderInlineEnd: `1px solid ${colour.line}` } },
});
globalStyle(`${up} > ${section}::before`, { "@media": { [screen.withRow]: { content: "'‹' / ''" } } });

/** In a rail the pages stand under the name of their section, after a line. */
export const group = style({
  "@media": {
    [screen.withRow]: inRow,
    [screen.withRail]: {
      display: "grid",
      gap: space.hair,
      margin: `${space.hair} 0 ${space.small} 0.9375rem`,
      paddingInlineStart: space.small,
      borderInlineStart: `1px solid ${colour.line}`,
    },
  },
});

export const groupLabel = style({
  padding: `${space.hair} ${space.small}`,
  color: colour.inkFaint,
  fontSize: text.tiny,
  fontWeight: weight.medium,
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  "@media": { [screen.withRow]: { display: "none" } },
});

export const pages = style({
  "@media": { [screen.withRow]: inRow, [screen.withRail]: { display: "grid", gap: space.hair } },
});

export const page = style([link, { "@media": { [screen.withRail]: { justifyContent: "space-between" } } }]);

export const count = style([countBadge]);

globalStyle(`${section} > ${count}`, { "@media": { [screen.withRail]: { marginInlineStart: "auto" } } });
