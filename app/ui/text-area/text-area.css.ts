import { style } from "@vanilla-extract/css";
import { screen, text } from "~/styles/tokens.css";

/** Grows with what is typed where the browser can, up to most of the screen. */
export const textArea = style({ resize: "vertical", maxHeight: "70vh", fieldSizing: "content" } as object);

export const code = style({
  whiteSpace: "pre",
  overflowX: "auto",
  tabSize: 2,
  selectors: { "&&": { lineHeight: 1.55 } },
  "@media": { [`not all and ${screen.touch}`]: { selectors: { "&&": { fontSize: text.small } } } },
});
