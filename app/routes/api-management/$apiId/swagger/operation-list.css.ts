import { style } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

export const deprecated = style({ textDecoration: "line-through", color: colour.inkFaint });

export const more = style({ display: "block", paddingInline: space.small, fontSize: text.small });

export const none = style({ color: colour.inkSoft, fontSize: text.small });
