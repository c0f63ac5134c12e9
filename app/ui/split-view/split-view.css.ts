import { style, styleVariants } from "@vanilla-extract/css";
import { colour, screen, space } from "~/styles/tokens.css";

export const view = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: space.huge,
  alignItems: "start",
});

export const columns = styleVariants({
  narrow: { "@media": { [screen.wide]: { gridTemplateColumns: "13rem minmax(0, 1fr)" } } },
  wide: { "@media": { [screen.wide]: { gridTemplateColumns: "18rem minmax(0, 1fr)" } } },
});

export const sidebar = style({
  minWidth: 0,
  overflowY: "auto",
  "@media": {
    [screen.narrow]: {
      maxHeight: "40vh",
      paddingBottom: space.small,
      borderBottom: `1px solid ${colour.line}`,
    },
    [screen.wide]: { position: "sticky", top: space.large, maxHeight: `calc(100dvh - 2 * ${space.large})` },
  },
});

export const content = style({ minWidth: 0 });
