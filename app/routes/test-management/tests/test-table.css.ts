import { style } from "@vanilla-extract/css";
import { colour, text, weight } from "~/styles/tokens.css";
import { stacked } from "~/ui/table/table.css";

// On a narrow screen every row has the same lines: tick and verdict, name, operation, reason, last run and actions.

export const verdict = style({
  "@container": { [stacked]: { selectors: { "&&": { order: -2, alignSelf: "center" } } } },
});

/** Its name and its reason are lines of the row, with the operation between them. */
export const test = style({ "@container": { [stacked]: { selectors: { "&&": { display: "contents" } } } } });

export const name = style({
  "@container": {
    [stacked]: { order: -1, flex: "1 0 100%", minWidth: 0, fontSize: text.body, fontWeight: weight.medium },
  },
});

export const operation = style({ "@container": { [stacked]: { flex: "1 0 100%" } } });

export const reason = style({
  color: colour.inkSoft,
  fontSize: text.small,
  fontWeight: weight.normal,
  overflowWrap: "anywhere",
  "@container": { [stacked]: { order: 1, flex: "1 0 100%", minWidth: 0 } },
});

export const lastRun = style({
  whiteSpace: "nowrap",
  "@container": { [stacked]: { selectors: { "&&": { order: 2, alignSelf: "center" } } } },
});

export const actions = style({
  "@container": { [stacked]: { selectors: { "&&": { order: 3, marginInlineStart: "auto" } } } },
});
