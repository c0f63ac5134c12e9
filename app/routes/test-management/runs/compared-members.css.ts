import { style } from "@vanilla-extract/css";
import { colour } from "~/styles/tokens.css";

export const was = style({ color: colour.inkSoft });
