import { globalStyle, style } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

export const section = style({});

export const title = style({ fontSize: text.body });

export const brief = style({
  flex: 1,
  minWidth: 0,
  overflow: "hidden",
  color: colour.inkSoft,
  fontSize: text.small,
  fontWeight: 400,
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
});

// While it is open, the content shows it.
globalStyle(`${section}[open] > summary ${brief}`, { display: "none" });

export const content = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.large });

export const description = style({ color: colour.inkSoft, fontSize: text.small });
