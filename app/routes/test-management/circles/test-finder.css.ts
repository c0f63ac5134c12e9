import { style } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

export const filters = style({ alignItems: "end", justifyContent: "start" });

/** Long lists have their own scrollbar, which keeps "Add" in sight. */
export const found = style({
  display: "grid",
  gap: space.small,
  maxHeight: "24rem",
  overflowY: "auto",
  margin: 0,
  padding: space.medium,
  border: `1px solid ${colour.line}`,
  minInlineSize: 0,
});

export const legend = style({ fontSize: text.small, color: colour.inkSoft, paddingInline: space.tiny });
