import { style } from "@vanilla-extract/css";
import { colour, text, weight } from "~/styles/tokens.css";
import { stacked } from "~/ui/table/table.css";

export const operation = style({ overflowWrap: "anywhere" });

export const summary = style({
  display: "block",
  color: colour.inkSoft,
  fontSize: text.small,
  fontWeight: weight.normal,
  // The operation's page has this information too.
  "@container": { [stacked]: { display: "none" } },
});

export const word = style({ fontWeight: weight.normal });

/** Badges of many responses share two lines, where their icons suffice. */
export const untested = style([
  word,
  {
    "@container": {
      [stacked]: { position: "absolute", width: 1, height: 1, overflow: "hidden", clipPath: "inset(50%)" },
    },
  },
]);

export const mark = style({ textDecoration: "none", selectors: { "&:hover": { textDecoration: "underline" } } });
