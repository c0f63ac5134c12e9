import { globalStyle, style } from "@vanilla-extract/css";
import { colour, measure, space, text } from "~/styles/tokens.css";

export const footer = style({
  marginTop: space.page,
  borderTop: `1px solid ${colour.line}`,
  fontSize: text.small,
  "@media": { print: { display: "none" } },
});

export const content = style({
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "space-between",
  gap: `${space.small} ${space.huge}`,
  maxWidth: measure.page,
  margin: "0 auto",
  padding: `${space.huge} ${space.large}`,
  color: colour.inkSoft,
});

export const links = style({ display: "flex", flexWrap: "wrap", gap: `${space.small} ${space.huge}` });

globalStyle(`${links} a`, { color: colour.inkSoft });
