import { style } from "@vanilla-extract/css";
import { colour, text } from "~/styles/tokens.css";

/** Keeps its line from the start, so that nothing moves when the words come. */
export const quiet = style({
  minHeight: "1.25rem",
  color: colour.inkSoft,
  fontSize: text.small,
  textAlign: "center",
  "@media": { "(scripting: none)": { display: "none" } },
});
