import { style, styleVariants } from "@vanilla-extract/css";
import { measure, space } from "~/styles/tokens.css";

export const gap = styleVariants(space, (distance) => ({ gap: distance }));

export const stack = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", alignContent: "start" });

export const row = style({ display: "flex", flexWrap: "wrap", alignItems: "center" });

export const rowAlignment = styleVariants({
  start: {},
  between: { justifyContent: "space-between" },
  end: { justifyContent: "flex-end" },
  centre: { justifyContent: "center" },
});

const toColumns = (least: string) => ({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${least}), 1fr))`,
});

export const grid = styleVariants({
  small: toColumns("10rem"),
  medium: toColumns("18rem"),
  large: toColumns("28rem"),
});

export const column = styleVariants({
  page: { maxWidth: measure.page },
  form: { maxWidth: measure.form },
  prose: { maxWidth: measure.prose },
});

export const pageMargins = style({
  width: "100%",
  marginInline: "auto",
  paddingInline: `max(${space.large}, env(safe-area-inset-left))`,
});
