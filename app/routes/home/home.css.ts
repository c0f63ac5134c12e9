import { style } from "@vanilla-extract/css";
import { colour, measure, radius, screen, shadow, space, text, weight } from "~/styles/tokens.css";

export const page = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: space.page,
  paddingBlock: `clamp(${space.huge}, 5vh, ${space.page})`,
});

export const opening = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: space.section,
  alignItems: "center",
  "@media": { [screen.wide]: { gridTemplateColumns: "minmax(18rem, 5fr) minmax(0, 8fr)" } },
});

/** A picture beside its words; every other one on the other side. */
export const story = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: `${space.huge} ${space.section}`,
  alignItems: "center",
  "@media": {
    [screen.wide]: {
      gridTemplateColumns: "minmax(18rem, 5fr) minmax(0, 8fr)",
      selectors: {
        "&:nth-of-type(odd)": { gridTemplateColumns: "minmax(0, 8fr) minmax(18rem, 5fr)" },
      },
    },
  },
});

export const storyWords = style({
  display: "grid",
  gap: space.large,
  "@media": { [screen.wide]: { selectors: { [`${story}:nth-of-type(odd) > &`]: { order: 2 } } } },
});

export const words = style({ display: "grid", gap: space.huge });

export const headline = style({
  fontSize: `clamp(2rem, 1.2rem + 2.4vw, 3rem)`,
  lineHeight: 1.08,
  letterSpacing: "-0.025em",
  textWrap: "balance",
});

export const sentence = style({ color: colour.inkSoft, fontSize: text.lead, lineHeight: 1.55 });

/** Framed like a window, which separates the pictured page from the real one. */
export const picture = style({
  display: "block",
  minWidth: 0,
  overflow: "hidden",
  border: `1px solid ${colour.line}`,
  borderRadius: radius.large,
  background: colour.sunken,
  boxShadow: shadow.high,
});

export const image = style({ display: "block", width: "100%", height: "auto" });

export const proofs = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: `${space.huge} ${space.section}`,
  "@media": { [screen.wide]: { gridTemplateColumns: "repeat(3, minmax(0, 1fr))" } },
});

export const proof = style({ display: "flex", gap: space.medium });

export const proofIcon = style({ flex: "none", width: 20, height: 20, marginTop: "0.125rem", color: colour.accent });

export const proofTitle = style({ fontSize: text.body, fontWeight: weight.strong });

export const proofWords = style({ marginTop: space.tiny, color: colour.inkSoft, fontSize: text.small });

export const section = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.huge });

export const sectionHead = style({ display: "grid", gap: space.small, maxWidth: measure.prose });

export const sectionTitle = style({ fontSize: text.headline, letterSpacing: "-0.02em" });

export const closing = style({
  display: "grid",
  justifyItems: "center",
  gap: space.large,
  color: colour.inkSoft,
  textAlign: "center",
});
