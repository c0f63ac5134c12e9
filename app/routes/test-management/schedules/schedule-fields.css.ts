import { style } from "@vanilla-extract/css";

/** Shows only the fields of the current choice; without `:has()` all. */
export const times = style({});

export const cron = style({
  selectors: { [`${times}:has(input[value=interval]:checked) &`]: { display: "none" } },
});

export const start = style({ justifyContent: "start", alignItems: "end" });

export const interval = style([
  start,
  { selectors: { [`${times}:has(input[value=cron]:checked) &`]: { display: "none" } } },
]);

export const hours = style({
  selectors: { [`${times}:has(input[name=onlyWithin]:not(:checked)) &`]: { display: "none" } },
});
