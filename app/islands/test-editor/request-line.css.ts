import { style } from "@vanilla-extract/css";
import { colour, text } from "~/styles/tokens.css";

export const request = style({ flex: "1 1 18rem", minWidth: 0 });

export const operation = style({ selectors: { "&&": { fontSize: text.body } } });

export const address = style({ color: colour.inkSoft, fontSize: text.small, overflowWrap: "anywhere" });
