import { style } from "@vanilla-extract/css";
import { stacked } from "~/ui/table/table.css";

// On a narrow screen the line of the checkbox has the states, and the title the whole width below.

export const state = style({
  "@container": { [stacked]: { selectors: { "&&": { order: -2, alignSelf: "center" } } } },
});

export const title = style({
  "@container": { [stacked]: { selectors: { "&&": { order: -1, flex: "1 0 100%", maxWidth: "100%" } } } },
});
