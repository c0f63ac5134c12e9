import { style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

export const stacked = style({ display: "grid", gap: space.small });

export const inline = style({ display: "flex", flexWrap: "wrap", gap: `${space.small} ${space.large}` });
