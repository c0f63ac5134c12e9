import { style } from "@vanilla-extract/css";

export const fields = style({});

/**
 * Only the chosen way's fields are shown, without script. Where `:has` is not understood the rule is dropped and all are,
 * which also works: the choice decides.
 */
const shownFor = (way: string) =>
  style({
    selectors: {
      [`${fields}:has(input[name=way]:checked):not(:has(input[value=${way}]:checked)) &`]: { display: "none" },
    },
  });

export const url = shownFor("url");
export const file = shownFor("file");
export const text = shownFor("text");
