import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";
import { stacked } from "~/ui/table/table.css";

/**
 * A seventh of the width beside the schedule names. In stacked rows a day is a full-width line,
 * and an empty day is omitted.
 */
export const day = style({
  display: "grid",
  gap: space.tiny,
  alignContent: "start",
  width: "calc((100cqi - 13rem) / 7 - 1.5rem)",
  "@container": { [stacked]: { width: "auto", flex: "1 1 12rem" } },
});

// Lines of days start together, whatever is below them or before them.
globalStyle(`tr:has(> td > ${day}) > *`, { verticalAlign: "top" });
globalStyle(`td:has(> ${day})::before`, { "@container": { [stacked]: { width: "7em" } } });

export const emptyDay = style({});
globalStyle(`td:has(> ${emptyDay})`, { "@container": { [stacked]: { display: "none !important" } } });

export const entries = style({
  display: "grid",
  gap: space.hair,
  fontVariantNumeric: "tabular-nums",
  "@container": { [stacked]: { display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: space.small } },
});

export const entry = style({ fontSize: text.tiny, overflowWrap: "anywhere" });

export const outcome = style([entry, { display: "flex", alignItems: "center", gap: space.tiny }]);

/** A link to a run, as wide as its words and high enough to press. */
export const run = style({
  width: "fit-content",
  minHeight: 24,
  flexWrap: "wrap",
  ":hover": { textDecorationThickness: 2 },
});

export const skipped = style({ color: colour.inkFaint });

export const tone = styleVariants({
  neutral: { color: colour.neutral.ink },
  success: { color: colour.success.ink },
  warning: { color: colour.warning.ink },
  danger: { color: colour.danger.ink },
  info: { color: colour.info.ink },
});
