import { style, styleVariants } from "@vanilla-extract/css";
import { colour, radius, space } from "~/styles/tokens.css";

/** As wide as its typical value: the width hints at the expected length. */
export const width = styleVariants({
  /** A few digits or a time of day, within a sentence. */
  number: { width: "4.5rem" },
  tiny: { maxWidth: "6rem" },
  short: { maxWidth: "12rem" },
  medium: { maxWidth: "22rem" },
  full: {},
});

export const group = style({ display: "flex" });

const affix = style({
  display: "flex",
  alignItems: "center",
  padding: `0 ${space.small}`,
  background: colour.sunken,
  border: `1px solid ${colour.lineControl}`,
  color: colour.inkSoft,
  fontSize: "0.875rem",
  whiteSpace: "nowrap",
});

export const before = style([affix, { borderInlineEnd: 0, borderRadius: `${radius.medium} 0 0 ${radius.medium}` }]);
export const after = style([affix, { borderInlineStart: 0, borderRadius: `0 ${radius.medium} ${radius.medium} 0` }]);

export const beside = style({
  selectors: {
    [`${before} ~ &`]: { borderStartStartRadius: "0 !important", borderEndStartRadius: "0 !important" },
    "&:has(~ *)": { borderStartEndRadius: "0 !important", borderEndEndRadius: "0 !important" },
  },
});
