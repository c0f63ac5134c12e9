import { style } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

/** The rest of a cell, after the name. */
export const beside = style({ color: colour.inkSoft });

export const changes = style({ display: "grid", gap: space.small, fontSize: text.small, overflowWrap: "anywhere" });
