import { style } from "@vanilla-extract/css";
import { colour, radius, screen, space, text, weight } from "~/styles/tokens.css";

/** A sheet on the screen, and the page itself in print. */
export const sheet = style({
  display: "grid",
  gap: space.section,
  maxWidth: "52rem",
  padding: space.section,
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
  "@media": {
    [screen.narrow]: { padding: space.large },
    print: { maxWidth: "none", padding: 0, border: 0, background: "none" },
  },
});

export const parties = style({
  display: "grid",
  gap: space.huge,
  gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 14rem), 1fr))",
});

export const party = style({ display: "grid", gap: space.hair, alignContent: "start" });

export const role = style({ color: colour.inkSoft, fontSize: text.small, fontWeight: weight.medium });

export const total = style({ fontSize: text.lead, fontWeight: weight.strong, textAlign: "end" });

/** Screen only. */
export const onScreen = style({ "@media": { print: { display: "none" } } });
