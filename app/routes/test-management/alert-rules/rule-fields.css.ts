import { style } from "@vanilla-extract/css";

/** Hours are asked for only where there are any; without `:has()` always. */
export const quiet = style({});

export const hours = style({
  selectors: { [`${quiet}:has(input[name=quiet]:not(:checked)) &`]: { display: "none" } },
});

export const start = style({ justifyContent: "start", alignItems: "end" });
