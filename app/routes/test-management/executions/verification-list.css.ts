import { style, styleVariants } from "@vanilla-extract/css";
import { colour, space } from "~/styles/tokens.css";

export const list = style({ display: "grid", gap: space.small, listStyle: "none", margin: 0, padding: 0 });

export const line = style({
  display: "grid",
  gridTemplateColumns: "auto minmax(0, 1fr)",
  gap: space.small,
  alignItems: "start",
  overflowWrap: "anywhere",
});

const tones = {
  neutral: colour.neutral,
  success: colour.success,
  warning: colour.warning,
  danger: colour.danger,
  info: colour.info,
};

export const outcome = styleVariants(tones, ({ ink }) => ({ color: ink, marginTop: space.tiny }));

export const why = style({ color: colour.inkSoft });

export const message = style({ overflowWrap: "anywhere" });
