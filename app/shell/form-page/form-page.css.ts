import { style } from "@vanilla-extract/css";
import { colour, screen, space, text } from "~/styles/tokens.css";

export const container = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: space.large,
  width: "100%",
  maxWidth: "28rem",
  margin: "0 auto",
  padding: `${space.section} ${space.large}`,
  "@media": { [screen.wide]: { paddingBlock: space.page } },
});

export const description = style({ color: colour.inkSoft });

export const below = style({
  display: "grid",
  gap: space.tiny,
  color: colour.inkSoft,
  fontSize: text.small,
  textAlign: "center",
});
