import { style } from "@vanilla-extract/css";
import { text } from "~/styles/tokens.css";

/** Grows with what is typed where the browser can, up to most of the screen. */
export const textArea = style({ resize: "vertical", maxHeight: "70vh", fieldSizing: "content" } as object);

export const code = style({
  fontSize: `${text.small} !important`,
  lineHeight: "1.55 !important",
  whiteSpace: "pre",
  overflowX: "auto",
  tabSize: 2,
});
