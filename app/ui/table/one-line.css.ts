import { globalStyle, style } from "@vanilla-extract/css";
import { stacked } from "./table.css";

const cut = {
  display: "block",
  maxWidth: "100%",
  overflow: "hidden",
  whiteSpace: "nowrap",
  textOverflow: "ellipsis",
} as const;

/** Long text that the row's page has in full: one line where rows are stacked. */
export const oneLine = style({
  "@container": {
    [stacked]: {
      ...cut,
      // Leaves space for words next to it.
      flex: "1 1 8rem",
    },
  },
});

/** A name and its tags: one line where rows are stacked. Tags that do not fit are hidden. */
export const nameWithTags = style({
  "@container": {
    [stacked]: {
      height: "1.5em",
      overflow: "clip",
      // The focus ring of a link is outside of it.
      overflowClipMargin: 3,
    },
  },
});

globalStyle(`${nameWithTags} > a`, { "@container": { [stacked]: cut } });
