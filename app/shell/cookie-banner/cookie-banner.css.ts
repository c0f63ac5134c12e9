import { style } from "@vanilla-extract/css";
import { colour, measure, space, text } from "~/styles/tokens.css";

export const banner = style({
  background: colour.surface,
  borderBottom: `1px solid ${colour.line}`,
  fontSize: text.small,
});

export const content = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: `${space.small} ${space.huge}`,
  maxWidth: measure.page,
  margin: "0 auto",
  padding: `${space.medium} ${space.large}`,
});

export const words = style({ flex: "1 1 22rem" });

export const choices = style({ display: "flex", flexWrap: "wrap", gap: space.small });
