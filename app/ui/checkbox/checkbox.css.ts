import { style } from "@vanilla-extract/css";
import { colour, screen, space } from "~/styles/tokens.css";

/** The box, its label and its hint; radio buttons have the same layout. */
export const choice = style({
  display: "grid",
  gridTemplateColumns: "1rem minmax(0, 1fr)",
  columnGap: space.small,
  rowGap: space.hair,
  alignItems: "start",
  fontSize: "0.875rem",
  "@media": { [screen.touch]: { paddingBlock: space.small } },
});

export const box = style({
  width: "1rem",
  height: "1rem",
  marginTop: "0.1875rem",
  accentColor: colour.accent,
});

export const label = style({ cursor: "pointer" });

export const beside = style({ gridColumn: 2 });
