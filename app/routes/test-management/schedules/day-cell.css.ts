import { style, styleVariants } from "@vanilla-extract/css";
import { colour, space, text } from "~/styles/tokens.css";

export const entries = style({ display: "grid", gap: space.hair, fontVariantNumeric: "tabular-nums" });

export const entry = style({ fontSize: text.tiny, overflowWrap: "anywhere" });

export const outcome = style([entry, { display: "flex", alignItems: "center", gap: space.tiny }]);

export const skipped = style({ color: colour.inkFaint });

export const tone = styleVariants({
  neutral: { color: colour.neutral.ink },
  success: { color: colour.success.ink },
  warning: { color: colour.warning.ink },
  danger: { color: colour.danger.ink },
  info: { color: colour.info.ink },
});
