import { style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

/** Grows, so that the footer is at the bottom of a short page. */
export const main = style({ flex: 1, selectors: { "&:focus": { outline: "none" } } });

export const page = style({ paddingBlock: `${space.huge} ${space.section}` });

export const pageBesideSidebar = style([page, { flex: 1 }]);
