import { style, styleVariants } from "@vanilla-extract/css";
import { colour, radius, space, text, weight } from "~/styles/tokens.css";

export const notice = style({
  display: "grid",
  gridTemplateColumns: "auto 1fr",
  gap: `0 ${space.small}`,
  padding: `${space.medium} ${space.large} ${space.medium} ${space.medium}`,
  border: "1px solid",
  borderRadius: radius.medium,
  fontSize: "0.875rem",
});

const tones = {
  neutral: colour.neutral,
  success: colour.success,
  warning: colour.warning,
  danger: colour.danger,
  info: colour.info,
};

export const tone = styleVariants(tones, ({ soft, line }) => ({ background: soft, borderColor: line }));

export const toneIcon = styleVariants(tones, ({ ink }) => ({ color: ink, marginTop: "0.1875rem" }));

export const words = style({ minWidth: 0, display: "grid", gap: space.tiny });

export const title = style({ fontWeight: weight.strong });

export const actions = style({
  display: "flex",
  flexWrap: "wrap",
  gap: space.small,
  marginTop: space.small,
  fontSize: text.small,
});
