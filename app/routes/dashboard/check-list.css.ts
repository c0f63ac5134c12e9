import { style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

export const none = style({ padding: space.large });
