import { style } from "@vanilla-extract/css";

/** A role is one word and must not be broken. */
export const role = style({ whiteSpace: "nowrap" });
