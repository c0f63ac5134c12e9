import { globalStyle, keyframes, style, styleVariants } from "@vanilla-extract/css";
import { colour, radius, screen, space, text, weight } from "~/styles/tokens.css";

export const frame = style({ display: "grid", gap: space.tiny, fontSize: text.small });

export const words = style({ display: "flex", justifyContent: "space-between", gap: space.medium });

export const label = style({ fontWeight: weight.medium });

export const value = style({ color: colour.inkSoft, fontVariantNumeric: "tabular-nums" });

const pass = keyframes({ from: { backgroundPositionX: "120%" }, to: { backgroundPositionX: "-120%" } });

export const bar = style({
  appearance: "none",
  width: "100%",
  height: 6,
  border: 0,
  borderRadius: radius.round,
  background: colour.neutral.line,
  overflow: "hidden",
  "::-webkit-progress-bar": { background: "none" },
  selectors: {
    // Firefox fills the whole bar with the value of an indeterminate progress.
    "&:indeterminate::-moz-progress-bar": { background: "none" },
    "&:indeterminate": {
      backgroundImage: "linear-gradient(90deg, transparent, currentColor, transparent)",
      backgroundSize: "40% 100%",
      backgroundRepeat: "no-repeat",
      backgroundPositionX: "50%",
    },
  },
  "@media": {
    [screen.motion]: { selectors: { "&:indeterminate": { animation: `${pass} 1.6s linear infinite` } } },
  },
});

export const tone = styleVariants({
  neutral: { color: colour.accent },
  success: { color: colour.success.solid },
  warning: { color: colour.warning.solid },
  danger: { color: colour.danger.solid },
  info: { color: colour.info.solid },
});

// One rule each: a browser drops a whole rule over a selector it does not know.
globalStyle(`${bar}::-webkit-progress-value`, { background: "currentColor", borderRadius: radius.round });
globalStyle(`${bar}::-moz-progress-bar`, { background: "currentColor", borderRadius: radius.round });
