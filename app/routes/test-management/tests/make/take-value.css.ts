import { style } from "@vanilla-extract/css";

/** A path may be longer than the field above it. */
export const source = style({ justifySelf: "start", maxInlineSize: "100%", textAlign: "start", whiteSpace: "normal" });

export const value = style({ textAlign: "start", whiteSpace: "normal", overflowWrap: "anywhere" });
