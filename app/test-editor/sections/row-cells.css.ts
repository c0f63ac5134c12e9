import { style, styleVariants } from "@vanilla-extract/css";
import { colour, screen, space, text } from "~/styles/tokens.css";

export const cells = style({
  display: "grid",
  gap: space.small,
  alignItems: "end",
  gridTemplateColumns: "minmax(0, 1fr)",
});

const wide = (gridTemplateColumns: string) => ({ "@media": { [screen.wide]: { gridTemplateColumns } } });

export const look = styleVariants({
  pair: wide("minmax(0, 2fr) minmax(0, 3fr) auto"),
  part: wide("minmax(0, 2fr) minmax(0, 3fr) minmax(0, 2fr) minmax(0, 2fr) auto"),
  two: wide("minmax(0, 1fr) minmax(0, 1fr)"),
  three: wide("minmax(0, 2fr) minmax(0, 2fr) minmax(0, 3fr)"),
  assertion: wide("minmax(0, 4fr) minmax(0, 5fr) minmax(0, 5fr) minmax(0, 5fr) minmax(0, 4fr)"),
});

export const cellLabel = style({
  display: "inline-block",
  color: colour.inkSoft,
  fontSize: text.small,
  selectors: { "&::first-letter": { textTransform: "uppercase" } },
});
