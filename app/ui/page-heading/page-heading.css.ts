import { style } from "@vanilla-extract/css";
import { colour, measure, space, text } from "~/styles/tokens.css";

export const heading = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "flex-start",
  justifyContent: "space-between",
  gap: `${space.medium} ${space.huge}`,
});

export const words = style({ flex: "1 1 20rem", minWidth: 0 });

export const above = style({ marginBottom: space.small });

export const title = style({ display: "flex", flexWrap: "wrap", alignItems: "center", gap: space.medium });

export const name = style({ overflowWrap: "anywhere" });

export const description = style({
  maxWidth: measure.prose,
  marginTop: space.tiny,
  color: colour.inkSoft,
  fontSize: text.body,
});

export const actions = style({ display: "flex", flexWrap: "wrap", gap: space.small });
