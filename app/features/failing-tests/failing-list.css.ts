import { createContainer, style } from "@vanilla-extract/css";
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
export const icon = style({ flex: "none", width: 16, height: "1lh", color: colour.danger.ink });

export const words = style({
  display: "grid",
  minWidth: 0,
  "@container": { [narrow]: { display: "flex", alignItems: "baseline", gap: space.small } },
});

const oneLine = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;

export const test = style({ ...oneLine, fontSize: text.body, fontWeight: weight.medium });

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
      WebkitLineClamp: 1,
      paddingInlineStart: `calc(16px + ${space.small})`,
    },
  },
});

export const since = style({
  color: colour.inkSoft,
  "@container": { [narrow]: { marginInlineStart: indent } },
});
