import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { colour, screen, space, text } from "~/styles/tokens.css";

/** Above this width of a list, the fields of its rows are in one line. */
export const roomy = "(min-width: 27rem)";

export const cells = style({
  display: "grid",
  gap: space.tiny,
  alignItems: "start",
  gridTemplateColumns: "minmax(0, 1fr)",
});

const side = (roomyColumns: string, columns = "minmax(0, 1fr) minmax(0, 1fr)") => ({
  gridTemplateColumns: columns,
  "@container": { [roomy]: { gridTemplateColumns: roomyColumns } },
});

export const look = styleVariants({
  pair: side("minmax(0, 2fr) minmax(0, 3fr) auto", "minmax(0, 1fr) auto"),
  part: side("minmax(0, 1fr) minmax(0, 1fr)"),
  two: side("minmax(0, 1fr) minmax(0, 1fr)", "minmax(0, 1fr)"),
  three: { "@media": { [screen.wide]: { gridTemplateColumns: "minmax(0, 2fr) minmax(0, 2fr) minmax(0, 3fr)" } } },
  capture: side("minmax(0, 2fr) minmax(0, 2fr) minmax(0, 3fr) minmax(0, 3fr)"),
  assertion: side("repeat(12, minmax(0, 1fr))"),
});

/** On narrow screens the box is next to the name and the value is below both. */
globalStyle(`${look.pair} > :nth-child(2)`, {
  gridColumn: "1 / -1",
  gridRow: 2,
  "@container": { [roomy]: { gridColumn: "auto", gridRow: "auto" } },
});

export const cellLabel = style({
  display: "inline-block",
  color: colour.inkSoft,
  fontSize: text.small,
  selectors: { "&::first-letter": { textTransform: "uppercase" } },
});

/** Aligns a box with its row's inputs, which are lower where the row has visible labels. */
export const tick = styleVariants({ labelled: { paddingTop: "2.05rem" }, plain: { paddingTop: "0.5rem" } });

/** Below the fields of its row. */
export const note = style({ gridColumn: "1 / -1", color: colour.inkSoft, fontSize: text.small });
