import { style } from "@vanilla-extract/css";

/** Only the fields of the choice that was made are shown; without `:has()` all are. */
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
