import { style } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

export const frame = style({ display: "flex", gap: space.tiny, maxWidth: "22rem" });

export const picker = style({ position: "relative", flex: "none", selectors: { "&[hidden]": { display: "none" } } });

/** The browser opens its calendar beside it; only the button is seen. */
export const native = style({
  position: "absolute",
  insetInlineEnd: 0,
  bottom: 0,
  width: 1,
  height: 1,
  border: 0,
  padding: 0,
  opacity: 0,
  pointerEvents: "none",
});
