import { style } from "@vanilla-extract/css";
import { colour, text } from "~/styles/tokens.css";

export const soft = style({ color: colour.inkSoft, fontSize: text.small });
