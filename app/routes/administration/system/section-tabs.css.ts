import { style } from "@vanilla-extract/css";
import { colour, screen, space } from "~/styles/tokens.css";
import { currentRow, currentRowInForcedColours, navigationRow } from "~/ui/side-navigation/navigation-row";

/** Tabs beside the form. */
const roomy = "(min-width: 64rem)";

export const beside = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: space.large,
  alignItems: "start",
  "@media": { [roomy]: { gridTemplateColumns: "10rem minmax(0, 1fr)", gap: space.huge } },
});

/** A scrolling row on screens too narrow for tabs beside the form. */
export const list = style({
  display: "flex",
  gap: space.tiny,
  overflowX: "auto",
  scrollbarWidth: "none",
  "@media": { [roomy]: { flexDirection: "column", overflowX: "visible" } },
});

export const tab = style({
  ...navigationRow,
  display: "block",
  color: colour.inkSoft,
  textDecoration: "none",
  whiteSpace: "nowrap",
  ":hover": { background: colour.neutral.soft, color: colour.ink },
  // Inset, since the scrolling list would clip the ring.
  ":focus-visible": { outlineOffset: -2 },
  selectors: { "&[aria-current]": currentRow },
  "@media": { [screen.touch]: { paddingBlock: "0.625rem" }, ...currentRowInForcedColours },
});
