import { style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

/** Words and controls in one line, which wraps between them. */
export const sentence = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "baseline",
  gap: `${space.small} 0.375rem`,
});

/** A control in a sentence, with its error below it. */
export const inline = style({ display: "inline-grid", justifyItems: "start" });

/** Shows the hours only where they apply; without `:has()` always. */
export const quiet = style({});

export const hours = style({
  paddingInlineStart: space.huge,
  selectors: { [`${quiet}:has(input[name=quiet]:not(:checked)) &`]: { display: "none" } },
});
