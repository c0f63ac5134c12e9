import { style, styleVariants } from "@vanilla-extract/css";
import { space } from "~/styles/tokens.css";

/** Contains radio buttons and the panels they select. */
export const switching = style({});

/**
 * Hides a panel while another radio button of its group is selected. Browsers without `:has` drop the rule and show all
 * panels, so everything stays reachable.
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
  file: chosenBy("file"),
  credentials: chosenBy("credentials"),
});
