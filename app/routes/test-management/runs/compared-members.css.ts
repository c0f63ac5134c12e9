import { globalStyle, style } from "@vanilla-extract/css";
import { colour, space } from "~/styles/tokens.css";
import { stacked } from "~/ui/table/table.css";

export const was = style({ color: colour.inkSoft });

/** Where rows are stacked a name takes one line: the execution's page has the full name. */
export const name = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: space.tiny,
  "@container": { [stacked]: { flexWrap: "nowrap" } },
});

// The verdict and the previous one stay at the end of the line.
globalStyle(`th:has(> ${name}${name})`, { "@container": { [stacked]: { flexBasis: "4rem" } } });

globalStyle(`${name} > a`, {
  "@container": { [stacked]: { minWidth: 0, overflow: "hidden", whiteSpace: "nowrap", textOverflow: "ellipsis" } },
});
