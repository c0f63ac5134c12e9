import { style } from "@vanilla-extract/css";

/** Cameras need dark marks on a light ground, in every theme, so the picture sets both colours. */
export const picture = style({ inlineSize: "min(100%, 14rem)", blockSize: "auto" });
