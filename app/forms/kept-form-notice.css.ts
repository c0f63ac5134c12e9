import { style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

export const place = style({ paddingBlock: space.large });
