import { style } from "@vanilla-extract/css";
import { colour, text } from "~/styles/tokens.css";

/** Reserves its line, so that nothing moves when the text appears. */
export const quiet = style({
  minHeight: "1.25rem",
  color: colour.inkSoft,
  fontSize: text.small,
  textAlign: "center",
  "@media": { "(scripting: none)": { display: "none" } },
});
