import { style } from "@vanilla-extract/css";

/** Only where AppRole is chosen; a browser without `:has()` shows it always. */
export const ofAppRole = style({
  selectors: { 'form:has(input[name="authentication"][value="token"]:checked) &': { display: "none" } },
});
