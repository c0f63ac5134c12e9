import { style } from "@vanilla-extract/css";

/** Shows only the fields of the current choice; without `:has()` all. */
export const choice = style({});

const hiddenWith = (...others: string[]) =>
  style({
    selectors: Object.fromEntries(
      others.map((other) => [`${choice}:has(input[value=${other}]:checked) &`, { display: "none" }]),
    ),
  });

export const api = hiddenWith("all", "circle");
export const circle = hiddenWith("all", "api");
export const once = hiddenWith("repeating");
export const repeating = hiddenWith("once");

/** Fits the day, the time and the button of the calendar. */
export const moment = style({ flex: "1 1 14rem" });
