import { style } from "@vanilla-extract/css";
import { space, text } from "~/styles/tokens.css";

/** Stacked, so that the time axes align. */
export const plots = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.huge });

export const pair = style({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 24rem), 1fr))",
  gap: `${space.huge} ${space.section}`,
});

export const marks = style({ display: "grid", gap: space.tiny, fontSize: text.small });

/** Aligns the first and the last label with the content above and below. */
export const ranges = style({ marginInline: `-${space.small}` });
