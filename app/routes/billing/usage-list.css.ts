import { style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

/** As many as there are share the whole width. */
export const bars = style({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 12rem), 1fr))",
  gap: space.huge,
});
