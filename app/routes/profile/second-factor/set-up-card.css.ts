import { style } from "@vanilla-extract/css";

/** Cameras want dark signs on light ground, in every theme: the picture brings both. */
export const picture = style({ inlineSize: "min(100%, 14rem)", blockSize: "auto" });
