import { style } from "@vanilla-extract/css";
import { stacked } from "~/ui/table/table.css";

/** Where rows are stacked, a list of targets takes no more than what is beside it leaves. */
export const value = style({
  "@container": {
    [stacked]: { maxWidth: "6rem", overflow: "hidden", whiteSpace: "nowrap", textOverflow: "ellipsis" },
  },
});
