import { style } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

export const search = style({ display: "grid", gap: space.small, marginBottom: space.medium });

export const found = style({ color: colour.inkSoft, fontSize: text.small, minHeight: "1.25rem" });

export const links = style({ display: "flex", flexWrap: "wrap", gap: space.medium, fontSize: text.small });
