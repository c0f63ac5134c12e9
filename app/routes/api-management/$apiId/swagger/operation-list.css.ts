import { style } from "@vanilla-extract/css";
import { colour, screen, space, text, weight } from "~/styles/tokens.css";
import { currentRow, currentRowInForcedColours, navigationRow } from "~/ui/side-navigation/navigation-row";

export const deprecated = style({ textDecoration: "line-through", color: colour.inkFaint });

export const groups = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.tiny });

export const group = style({ minWidth: 0 });

const row = { ...navigationRow, ":hover": { background: colour.neutral.soft } } as const;

export const summary = style({
  ...row,
  display: "flex",
  alignItems: "baseline",
  gap: space.small,
  listStyle: "none",
  cursor: "pointer",
  fontWeight: weight.strong,
  selectors: {
    "&::-webkit-details-marker": { display: "none" },
    "&::before": {
      content: "",
      flex: "none",
      width: "0.375rem",
      height: "0.375rem",
      borderRight: `2px solid ${colour.inkFaint}`,
      borderBottom: `2px solid ${colour.inkFaint}`,
      transform: "rotate(-45deg)",
    },
    [`${group}[open] > &::before`]: { transform: "translateY(-.125rem) rotate(45deg)" },
  },
  "@media": { [screen.touch]: { paddingBlock: "0.625rem" } },
});

export const groupName = style({ flex: 1, minWidth: 0, overflowWrap: "anywhere" });

export const count = style({ color: colour.inkSoft, fontWeight: weight.normal });

export const link = style({
  ...row,
  display: "block",
  color: colour.inkSoft,
  textDecoration: "none",
  selectors: {
    "&[aria-current]": currentRow,
  },
  "@media": {
    [screen.touch]: { paddingBlock: "0.625rem" },
    ...currentRowInForcedColours,
  },
});

export const more = style({ display: "block", padding: `0.3125rem ${space.small}`, fontSize: text.small });

export const none = style({ color: colour.inkSoft, fontSize: text.small });
