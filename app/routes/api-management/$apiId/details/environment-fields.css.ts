import { style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

/** An environment: its own fields in one line if they fit, its secret variables below. */
export const environment = style({ gridColumn: "1 / -1", display: "grid", gap: space.medium });

export const fields = style({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 14rem), 1fr))",
  gap: space.small,
  alignItems: "start",
});
