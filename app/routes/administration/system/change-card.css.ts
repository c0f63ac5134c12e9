import { style } from "@vanilla-extract/css";
import { stacked } from "~/ui/table/table.css";

/** Where rows are stacked, a list of targets takes only the space that its neighbours leave. */
export const value = style({
  "@container": {
    [stacked]: { maxWidth: "6rem", overflow: "hidden", whiteSpace: "nowrap", textOverflow: "ellipsis" },
  },
});
