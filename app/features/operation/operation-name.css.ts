import { style } from "@vanilla-extract/css";
import { space, text } from "~/styles/tokens.css";
import { methodWidth } from "~/ui/method/method.css";

export const name = style({ fontSize: text.small });

/** A path that wraps stays right of its method, and paths of a list are aligned. */
export const inColumn = style({
  display: "grid",
  gridTemplateColumns: `minmax(${methodWidth}, auto) minmax(0, 1fr)`,
  columnGap: space.small,
  alignItems: "baseline",
  // Methods of any length: a document may name its own.
  maxWidth: "100%",
});

export const method = style({
  marginInlineEnd: space.tiny,
  selectors: { [`${inColumn} > &`]: { marginInlineEnd: 0 } },
});

/** A path has no spaces: it breaks at its slashes, and elsewhere only where a single segment is too long. */
export const path = style({ overflowWrap: "break-word" });
