import { style } from "@vanilla-extract/css";
import { stacked } from "./table.css";

/** Text that may be long and stands whole on the page its row leads to: one line where rows are stacked. */
export const oneLine = style({
  "@container": {
    [stacked]: {
      display: "block",
      // Leaves room for tags beside it.
      flex: "1 1 8rem",
      maxWidth: "100%",
      overflow: "hidden",
      whiteSpace: "nowrap",
      textOverflow: "ellipsis",
    },
  },
});
