import { style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

export const differences = style({ margin: 0, paddingInlineStart: space.large, overflowWrap: "anywhere" });
