import { style } from "@vanilla-extract/css";
import { colour, screen, space, text, weight } from "~/styles/tokens.css";

export const failures = style({ listStyle: "none", margin: 0, padding: 0 });

export const failure = style({
  display: "flex",
  alignItems: "start",
  gap: space.medium,
  padding: `${space.small} ${space.large}`,
  selectors: { "& + &": { borderTop: `1px solid ${colour.line}` } },
  // Verdict and button in one line, the words below them.
  "@media": { [screen.narrow]: { flexWrap: "wrap", justifyContent: "space-between", rowGap: space.tiny } },
});

export const failureWords = style({
  display: "grid",
  gap: space.hair,
  flex: 1,
  minWidth: 0,
  fontWeight: weight.medium,
  "@media": { [screen.narrow]: { flexBasis: "100%", order: 1 } },
});

export const since = style({ color: colour.inkSoft, fontSize: text.small, fontWeight: weight.normal });

export const reason = style({
  color: colour.inkSoft,
  fontSize: text.small,
  fontWeight: weight.normal,
  overflowWrap: "anywhere",
});
