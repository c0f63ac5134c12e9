import { style } from "@vanilla-extract/css";
import { screen, space } from "~/styles/tokens.css";

export const basics = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: space.small,
  alignItems: "start",
  "@media": { [screen.wide]: { gridTemplateColumns: "minmax(0, 3fr) minmax(0, 2fr)" } },
});

export const whole = style({ gridColumn: "1 / -1" });
