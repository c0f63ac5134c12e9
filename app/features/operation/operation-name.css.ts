import { style, styleVariants } from "@vanilla-extract/css";
import { colour, font, space, text, weight } from "~/styles/tokens.css";

export const name = style({ fontSize: text.small });

/** Aligns the methods of a list in a column. */
export const inColumn = style({
  display: "grid",
  gridTemplateColumns: "4rem minmax(0, 1fr)",
  columnGap: space.small,
  alignItems: "baseline",
});

export const method = style({
  marginRight: "0.25rem",
  fontFamily: font.code,
  fontWeight: weight.strong,
  fontSize: text.tiny,
  overflowWrap: "anywhere",
});

export const effect = styleVariants({
  reads: { color: colour.info.ink },
  creates: { color: colour.success.ink },
  changes: { color: colour.warning.ink },
  deletes: { color: colour.danger.ink },
  other: { color: colour.inkSoft },
});

/** A path has no spaces: it breaks at its slashes, and elsewhere only where a single segment is too long. */
export const path = style({ overflowWrap: "break-word" });
