import { globalStyle, style } from "@vanilla-extract/css";
import { stacked } from "./table.css";

const cut = {
  display: "block",
  maxWidth: "100%",
  overflow: "hidden",
  whiteSpace: "nowrap",
  textOverflow: "ellipsis",
} as const;

/** Text that may be long and stands whole on the page its row leads to: one line where rows are stacked. */
export const oneLine = style({
  "@container": {
    [stacked]: {
      ...cut,
      // Leaves room for words beside it.
      flex: "1 1 8rem",
    },
  },
});

/** A name and its tags: one line where rows are stacked. Tags that find no room in it are left out. */
export const nameWithTags = style({
  "@container": {
    [stacked]: {
      height: "1.5em",
      overflow: "clip",
      // The ring around a link that has the focus is outside of it.
      overflowClipMargin: 3,
    },
  },
});

globalStyle(`${nameWithTags} > a`, { "@container": { [stacked]: cut } });
