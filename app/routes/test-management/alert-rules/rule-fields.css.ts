import { style } from "@vanilla-extract/css";

/** Shows the hours only where they apply; without `:has()` always. */
export const quiet = style({});

export const hours = style({
  selectors: { [`${quiet}:has(input[name=quiet]:not(:checked)) &`]: { display: "none" } },
});

export const start = style({ justifyContent: "start", alignItems: "end" });
