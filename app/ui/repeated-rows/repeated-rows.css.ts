import { style } from "@vanilla-extract/css";
import { colour, radius, space } from "~/styles/tokens.css";

export const rows = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.small });

/** The layout of rows depends on the available width, not on the screen's. */
export const container = style({ containerType: "inline-size" });

export const row = style({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) auto",
  alignItems: "center",
  gap: space.small,
});

export const framed = style({
  padding: space.medium,
  background: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.medium,
});

export const plain = style({ gap: space.tiny });

/** Fields in one line if they fit. */
export const fields = style({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 9rem), 1fr))",
  gap: space.small,
  alignItems: "start",
});

export const empty = style({ color: colour.inkSoft, fontSize: "0.875rem" });

export const stackedFoot = style({ display: "grid", gap: space.small });

export const foot = style({ display: "flex", flexWrap: "wrap", alignItems: "center", gap: space.medium });

export const add = style({ justifySelf: "start" });
