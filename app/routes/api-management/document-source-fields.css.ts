import { style } from "@vanilla-extract/css";

export const fields = style({});

/**
 * Shows only the chosen method's fields, without script. Where `:has` is not supported the rule is dropped and all are
 * visible, which also works: the choice decides.
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
