import { globalStyle, style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

/** Words and controls in lines of text; the lines are as far apart as the controls are high. */
export const sentence = style({ lineHeight: 2.75 });

/** A control in a sentence, with its error below it. */
export const inline = style({ display: "inline-grid", position: "relative", lineHeight: 1.4 });

// Read out only: in the grid it would be the first line, to which the words are aligned.
globalStyle(`${inline} > label`, { position: "absolute" });

/** Shows the hours only where they apply; without `:has()` always. */
export const quiet = style({});

export const hours = style({
  paddingInlineStart: space.huge,
  selectors: { [`${quiet}:has(input[name=quiet]:not(:checked)) &`]: { display: "none" } },
});
