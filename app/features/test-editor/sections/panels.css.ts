import { style, styleVariants } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

/** Around radio buttons and the panels they choose from. */
export const switching = style({});

/**
 * A panel goes out of sight while another radio button of its group is chosen. Browsers without `:has` drop the rule and show all
 * panels, so nothing is ever out of reach.
 */
const chosenBy = (value: string) => ({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: space.large,
  selectors: { [`${switching}:has(input[type=radio]:checked:not([value="${value}"])) > &`]: { display: "none" } },
});

export const panel = styleVariants({
  json: chosenBy("json"),
  text: chosenBy("text"),
  form: chosenBy("form"),
  multipart: chosenBy("multipart"),
  credentials: chosenBy("credentials"),
});
