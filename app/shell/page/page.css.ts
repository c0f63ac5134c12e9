import { style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

export const page = style({ paddingBlock: `${space.huge} ${space.section}` });
