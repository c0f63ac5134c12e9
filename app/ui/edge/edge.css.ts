import { styleVariants } from "@vanilla-extract/css";
import { colour } from "~/styles/tokens.css";

/** The edge of a row outside of tables whose state needs attention. Its icon and word say the same. */
export const edge = styleVariants(
  {
    success: colour.success,
    info: colour.info,
    warning: colour.warning,
    danger: colour.danger,
    neutral: colour.neutral,
  },
  ({ solid }) => ({ borderInlineStart: `3px solid ${solid}` }),
);
