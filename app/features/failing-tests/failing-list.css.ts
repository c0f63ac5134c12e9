import { createContainer, style, styleVariants } from "@vanilla-extract/css";
import { colour, space, text, weight } from "~/styles/tokens.css";

const container = createContainer();
const narrow = `${container} (max-width: 40rem)`;

export const list = style({
  containerType: "inline-size",
  containerName: container,
  margin: 0,
  padding: 0,
  listStyle: "none",
});

/** Indent of the text below a name: past its icon. */
const indent = `calc(16px + ${space.small})`;

/** Name, reason, since when, button; on narrow screens in three lines, the button in the last. */
export const item = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 4fr) minmax(0, 5fr) 6rem auto",
  alignItems: "center",
  gap: `${space.hair} ${space.large}`,
  padding: `${space.small} ${space.large}`,
  fontSize: text.small,
  selectors: { "& + &": { borderTop: `1px solid ${colour.line}` } },
  "@container": { [narrow]: { gridTemplateColumns: "minmax(0, 1fr) auto" } },
});

export const name = style({
  display: "flex",
  alignItems: "start",
  gap: space.small,
  minWidth: 0,
  "@container": { [narrow]: { gridColumn: "1 / -1" } },
});

/** As high as the first line of the text next to it. */
export const icon = style({ flex: "none", width: 16, height: "1lh" });

export const iconTone = styleVariants(
  {
    success: colour.success,
    info: colour.info,
    warning: colour.warning,
    danger: colour.danger,
    neutral: colour.neutral,
  },
  ({ ink }) => ({ color: ink }),
);

export const words = style({
  display: "grid",
  minWidth: 0,
});

const oneLine = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;

export const test = style({
  ...oneLine,
  fontSize: text.body,
  fontWeight: weight.medium,
  "@container": { [narrow]: { whiteSpace: "normal", overflowWrap: "anywhere" } },
});

export const api = style({ ...oneLine, color: colour.inkSoft });

/** Truncated: the full text is on the execution's page, which the name links to. */
export const reason = style({
  display: "-webkit-box",
  overflow: "hidden",
  overflowWrap: "anywhere",
  WebkitBoxOrient: "vertical",
  WebkitLineClamp: 2,
  "@container": {
    [narrow]: {
      gridColumn: "1 / -1",
      gridRow: 2,
      paddingInlineStart: `calc(16px + ${space.small})`,
    },
  },
});

export const since = style({
  color: colour.inkSoft,
  "@container": { [narrow]: { marginInlineStart: indent } },
});

/** Groups of failing tests: by incident, then those without one. */
export const groups = style({ margin: 0, padding: 0, listStyle: "none" });

export const group = style({ selectors: { "& + &": { borderTop: `1px solid ${colour.line}` } } });

export const incident = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: `${space.tiny} ${space.medium}`,
  padding: `${space.medium} ${space.large} ${space.tiny}`,
  fontSize: text.small,
});

export const badges = style({ display: "inline-flex", gap: space.tiny });

export const groupTitle = style({
  padding: `${space.medium} ${space.large} 0`,
  color: colour.inkSoft,
  fontSize: text.small,
});

export const groupReason = style({
  padding: `0 ${space.large} ${space.medium}`,
  color: colour.inkSoft,
  fontSize: text.small,
  overflowWrap: "anywhere",
});

/** A test below its incident. */
export const nested = style({
  paddingInlineStart: `calc(${space.large} + ${space.large})`,
  selectors: { "& + &": { borderTop: 0 } },
});

export const footerLinks = style({ display: "flex", flexWrap: "wrap", gap: `${space.tiny} ${space.large}` });
