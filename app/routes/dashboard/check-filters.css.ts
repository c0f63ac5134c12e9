import { style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

export const filters = style({ display: "flex", flexWrap: "wrap", alignItems: "center", gap: space.small });
