import { globalStyle, style } from "@vanilla-extract/css";
import { colour, radius, shadow, space, weight } from "~/styles/tokens.css";
import { listId } from "~/ui/filter-bar/list-id";

export const skipLink = style({
  position: "fixed",
  zIndex: 30,
  top: space.small,
  insetInlineStart: space.small,
  padding: `${space.small} ${space.large}`,
  background: colour.surface,
  color: colour.ink,
  borderRadius: radius.medium,
  fontWeight: weight.medium,
  // Without focus its shadow would be visible on the page.
  selectors: { "&:focus": { boxShadow: shadow.high }, "&:not(:focus)": { transform: "translateY(-200%)" } },
});

/** The page that surrounds every other one cannot know whether it has a list; the styles can. */
export const toList = style({ display: "none" });
globalStyle(`body:has(#${listId}) ${toList}`, { display: "block" });
