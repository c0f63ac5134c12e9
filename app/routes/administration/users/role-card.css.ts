import { style } from "@vanilla-extract/css";

/** A role is one word, and not to be parted. */
export const role = style({ whiteSpace: "nowrap" });
