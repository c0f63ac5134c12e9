import { style, styleVariants } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

/** A secret variable: where its value is, and what belongs to that choice. */
export const secret = style({
  gridColumn: "1 / -1",
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 11rem), 1fr))",
  gap: space.small,
  alignItems: "start",
});

/** Hides what belongs to another choice; a browser without `:has()` shows all. */
const hiddenUnless = (choice: string) => ({
  selectors: { [`${secret}:has(option:checked:not([value="${choice}"])) &`]: { display: "none" } },
});

export const groups = styleVariants({
  here: hiddenUnless("here"),
  vault: hiddenUnless("vault"),
  environment: hiddenUnless("environment"),
});
