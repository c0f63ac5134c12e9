import { globalStyle } from "@vanilla-extract/css";
import { colour, font, screen, text, weight } from "./tokens.css.ts";

/**
 * Styles of bare elements. Selectors are inside `:where()`, so that any class of a component wins whatever the order of
 * the sheets.
 */
const bare = (selector: string) => `:where(${selector})`;

globalStyle("*, ::before, ::after", { boxSizing: "border-box" });

globalStyle(bare("html"), {
  fontFamily: font.text,
  lineHeight: 1.5,
  textSizeAdjust: "100%",
  tabSize: 2,
  // A sticky header must not cover the target of a link or an error summary.
  scrollPaddingTop: "5rem",
  accentColor: colour.accent,
});

globalStyle(bare("body"), {
  margin: 0,
  minHeight: "100dvh",
  background: colour.page,
  color: colour.ink,
  fontSize: text.body,
  overflowWrap: "break-word",
});

globalStyle(bare("h1, h2, h3, h4, p, ul, ol, dl, dd, figure, pre, blockquote, fieldset"), { margin: 0, padding: 0 });
globalStyle(bare("fieldset"), { border: 0, minWidth: 0 });
globalStyle(bare("ul, ol"), { listStyle: "none" });
globalStyle(bare("legend"), { padding: 0 });
globalStyle(bare("hr"), { border: 0, borderTop: `1px solid ${colour.line}`, margin: 0 });
globalStyle(bare("img, svg, video"), { display: "block", maxWidth: "100%" });
globalStyle(bare("button, input, select, textarea"), { font: "inherit", color: "inherit", margin: 0 });
globalStyle(bare("button, summary"), { cursor: "pointer" });
globalStyle(bare("table"), { borderCollapse: "collapse", borderSpacing: 0 });
globalStyle(bare("th"), { textAlign: "start", fontWeight: weight.strong });
globalStyle(bare("b, strong"), { fontWeight: weight.strong });
globalStyle(bare("code, pre, kbd, samp"), { fontFamily: font.code, fontSize: "0.92em" });
globalStyle(bare("small"), { fontSize: text.small });
globalStyle("[hidden]", { display: "none !important" });

globalStyle(bare("h1, h2, h3, h4"), {
  fontSize: text.body,
  fontWeight: weight.strong,
  lineHeight: 1.3,
  textWrap: "balance",
});
globalStyle(bare("h1"), { fontSize: text.title, letterSpacing: "-0.015em" });
globalStyle(bare("h2"), { fontSize: text.lead, letterSpacing: "-0.005em" });
globalStyle(bare("p"), { textWrap: "pretty" });

globalStyle(bare("a"), {
  color: colour.accent,
  textDecorationColor: "color-mix(in srgb, currentColor 45%, transparent)",
  textDecorationThickness: "1px",
  textUnderlineOffset: "0.2em",
});
globalStyle(bare("a:hover"), { textDecorationColor: "currentColor" });

globalStyle(":focus-visible", {
  outline: `2px solid ${colour.accent}`,
  outlineOffset: "2px",
});

// Only the skip link focuses it, and a ring around the whole page has no meaning.
globalStyle("main:focus-visible", { outline: "none" });

// The target of a link, a diagnostic or an error summary.
globalStyle(bare(":target"), { scrollMarginTop: "5rem" });

globalStyle(bare("::selection"), { background: colour.accentSoft, color: colour.ink });

globalStyle("*, ::before, ::after", {
  "@media": {
    "(prefers-reduced-motion: reduce)": {
      animationDuration: "1ms !important",
      animationIterationCount: "1 !important",
      // None at all: even the shortest transition would be an animation.
      transitionDuration: "0s !important",
      scrollBehavior: "auto !important" as "auto",
    },
  },
});

// The next document fades in over this one, so that pages change without a flash.
globalStyle("@view-transition", { "@media": { [screen.motion]: { navigation: "auto" } } } as never);
