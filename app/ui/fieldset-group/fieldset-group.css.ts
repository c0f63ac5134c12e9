import { style, styleVariants } from "@vanilla-extract/css";
import { space, text, weight } from "~/styles/tokens.css";

export const content = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space.small });

export const legend = styleVariants({
  label: { fontSize: "0.875rem", fontWeight: weight.medium, marginBottom: space.tiny },
  heading: { fontSize: text.lead, fontWeight: weight.strong, marginBottom: space.small },
});
