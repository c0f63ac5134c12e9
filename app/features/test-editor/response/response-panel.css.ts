import { style } from "@vanilla-extract/css";
import { colour, text } from "~/styles/tokens.css";

export const panel = style({ scrollMarginTop: "5rem" });

export const soft = style({ color: colour.inkSoft, fontSize: text.small });
