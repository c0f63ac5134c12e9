import { style } from "@vanilla-extract/css";
import { colour, radius, shadow, space, text } from "~/styles/tokens.css";

export const ago = style({ position: "relative", whiteSpace: "nowrap" });

const displayed = `${ago}:is(:hover, :focus-visible) > &, a:is(:hover, :focus-visible) > ${ago} > &`;

/** Always read aloud; visible on hover and focus. */
export const exact = style({
  position: "absolute",
  insetInlineStart: 0,
  bottom: "calc(100% + 2px)",
  zIndex: 3,
  clipPath: "inset(50%)",
  pointerEvents: "none",
  selectors: {
    [displayed]: {
      clipPath: "none",
      padding: `${space.hair} ${space.small}`,
      background: colour.surface,
      color: colour.ink,
      border: `1px solid ${colour.line}`,
      borderRadius: radius.small,
      boxShadow: shadow.high,
      fontSize: text.tiny,
    },
  },
});
