import { globalStyle, style } from "@vanilla-extract/css";
import { screen, space } from "~/styles/tokens.css";

export const columns = style({});

/** Two columns of choices on wide screens; a column of eleven is too long. */
globalStyle(`${columns} > div:not([id])`, {
  "@media": {
    [screen.wide]: {
      display: "grid",
      gridTemplateColumns: "repeat(2, minmax(0, 1fr))",
      alignItems: "start",
      gap: `${space.medium} ${space.huge}`,
    },
  },
});
