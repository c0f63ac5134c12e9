import { style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

export const place = style({ maxWidth: "26rem", margin: "0 auto", padding: `${space.page} ${space.large}` });
