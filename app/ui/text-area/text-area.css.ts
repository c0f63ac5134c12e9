import { globalStyle, style } from "@vanilla-extract/css";
import { screen, text } from "~/styles/tokens.css";
import { field } from "~/ui/field/field.css";

export const textArea = style({ resize: "vertical" });

export const code = style({
  whiteSpace: "pre",
  overflowX: "auto",
  tabSize: 2,
  selectors: { "&&": { lineHeight: 1.55 } },
  "@media": { [`not all and ${screen.touch}`]: { selectors: { "&&": { fontSize: text.small } } } },
});

globalStyle(`${field}:has(> ${code})`, { maxWidth: "none" });
