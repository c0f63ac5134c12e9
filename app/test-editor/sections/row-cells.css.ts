import { style, styleVariants } from "@vanilla-extract/css";
import { colour, screen, space, text } from "~/styles/tokens.css";

export const cells = style({
  display: "grid",
  gap: space.small,
  alignItems: "start",
  gridTemplateColumns: "minmax(0, 1fr)",
});

const wide = (gridTemplateColumns: string) => ({ "@media": { [screen.wide]: { gridTemplateColumns } } });

export const look = styleVariants({
  pair: wide("minmax(0, 2fr) minmax(0, 3fr) auto"),
  part: wide("minmax(0, 2fr) minmax(0, 3fr) minmax(0, 2fr) minmax(0, 2fr) auto"),
  two: wide("minmax(0, 1fr) minmax(0, 1fr)"),
  three: wide("minmax(0, 2fr) minmax(0, 2fr) minmax(0, 3fr)"),
  capture: wide("minmax(0, 2fr) minmax(0, 2fr) minmax(0, 3fr) auto"),
  assertion: wide("minmax(0, 9fr) minmax(0, 10fr) minmax(0, 10fr) minmax(0, 10fr) minmax(0, 9fr)"),
});

export const cellLabel = style({
  display: "inline-block",
  color: colour.inkSoft,
  fontSize: text.small,
  selectors: { "&::first-letter": { textTransform: "uppercase" } },
});

/** A box beside fields stands at the height of what is typed, which is lower where the row's labels are in sight. */
export const tick = styleVariants({
  labelled: { "@media": { [screen.wide]: { paddingTop: "2.05rem" } } },
  plain: { "@media": { [screen.wide]: { paddingTop: "0.75rem" } } },
});
