import { style } from "@vanilla-extract/css";
import { colour, screen, text } from "~/styles/tokens.css";

export const request = style({ minWidth: 0, "@media": { [screen.wide]: { flex: "1 1 18rem" } } });

export const operation = style({ selectors: { "&&": { fontSize: text.body } } });

export const address = style({ color: colour.inkSoft, fontSize: text.small, overflowWrap: "anywhere" });
