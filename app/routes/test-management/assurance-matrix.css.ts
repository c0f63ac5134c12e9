import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { colour, space, text, weight } from "~/styles/tokens.css";
import { methodWidth } from "~/ui/method/method.css";
import { stacked } from "~/ui/table/table.css";

export const filters = style({ padding: `${space.medium} ${space.large}`, borderBottom: `1px solid ${colour.line}` });

export const operation = style({ overflowWrap: "anywhere" });

/** Passed responses have no background, so that the others stand out. */
export const quiet = styleVariants({
  passed: { selectors: { "&&": { background: "transparent", borderColor: colour.line } } },
  untested: { selectors: { "&&": { background: "transparent", borderStyle: "dashed", color: colour.inkSoft } } },
});

export const summary = style({
  display: "block",
  marginInlineStart: `calc(${methodWidth} + ${space.small})`,
  color: colour.inkSoft,
  fontSize: text.small,
  fontWeight: weight.normal,
  // The operation's page has this information too.
  "@container": { [stacked]: { display: "none" } },
});

export const word = style({ fontWeight: weight.normal });

/** Its path is underlined, its method and summary are not. */
export const link = style({ textDecoration: "none" });
globalStyle(`${link} code`, { textDecoration: "underline" });

/** On a narrow screen: operation, responses, then tests and the link to create one. */
export const ownLine = style({ "@container": { [stacked]: { selectors: { "&&": { flex: "1 0 100%" } } } } });

export const create = style({ "@container": { [stacked]: { selectors: { "&&": { marginInlineStart: "auto" } } } } });

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
