import { styleVariants } from "@vanilla-extract/css";

const radio = 'input[name="secretFrom"]';

/** Hides what belongs to another choice; a browser without `:has()` shows all. */
const hiddenUnless = (choice: string) => ({
  selectors: { [`form:has(${radio}:checked:not([value="${choice}"])) &`]: { display: "none" } },
});

export const groups = styleVariants({
  stored: hiddenUnless("stored"),
  vault: hiddenUnless("vault"),
  environment: hiddenUnless("environment"),
});
