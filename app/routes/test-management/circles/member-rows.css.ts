import { style } from "@vanilla-extract/css";
import { colour, screen, space, text } from "~/styles/tokens.css";
import { visuallyHidden } from "~/ui/visually-hidden/visually-hidden.css";

export const rows = style({ listStyle: "none", margin: 0, padding: 0 });

export const row = style({
  display: "grid",
  gridTemplateColumns: "auto auto minmax(0, 1fr) 8.5rem auto",
  alignItems: "center",
  gap: space.small,
  padding: `${space.small} ${space.large}`,
  borderBottom: `1px solid ${colour.line}`,
  background: colour.surface,
  selectors: {
    "&:last-child": { borderBottom: "none" },
    "&[data-dragged]": { opacity: 0.5 },
  },
  "@media": { [screen.narrow]: { gridTemplateColumns: "auto minmax(0, 1fr) auto" } },
});

/** On touch screens dragging scrolls, so there the buttons move. */
export const handle = style({
  cursor: "grab",
  color: colour.inkSoft,
  padding: space.tiny,
  "@media": { [screen.narrow]: { display: "none" } },
});

export const number = style({
  minWidth: "1.5rem",
  textAlign: "end",
  fontVariantNumeric: "tabular-nums",
  color: colour.inkSoft,
});

export const words = style({
  display: "grid",
  gap: space.hair,
  minWidth: 0,
  "@media": { [screen.narrow]: { gridColumn: "2 / -1" } },
});

export const detail = style({ fontSize: text.small, color: colour.inkSoft });

export const phase = style({ "@media": { [screen.narrow]: { gridColumn: "1 / span 2" } } });

/** Only asked for in a circle that changes only what its run made. */
export const effect = style({
  display: "none",
  justifySelf: "start",
  selectors: { "form:has([name=onlyOwn]:checked) &, &[data-refused]": { display: "grid" } },
});

export const buttons = style({ flexWrap: "nowrap" });

export const hiddenStatus = style([visuallyHidden]);
