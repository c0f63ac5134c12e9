import { style } from "@vanilla-extract/css";
import { colour, radius, space, text, weight } from "~/styles/tokens.css";

export const file = style({
  selectors: { "&&": { padding: space.tiny, borderStyle: "dashed" } },
  "::file-selector-button": {
    marginInlineEnd: space.medium,
    padding: `${space.tiny} ${space.medium}`,
    background: colour.sunken,
    color: colour.ink,
    border: `1px solid ${colour.line}`,
    borderRadius: radius.small,
    font: "inherit",
    fontSize: text.small,
    fontWeight: weight.medium,
    cursor: "pointer",
  },
});
