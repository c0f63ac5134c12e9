import { style } from "@vanilla-extract/css";
import { colour, text, weight } from "~/styles/tokens.css";
import { stacked } from "~/ui/table/table.css";

export const reason = style({
  display: "block",
  color: colour.inkSoft,
  fontSize: text.small,
  fontWeight: weight.normal,
  overflowWrap: "anywhere",
  // All of it is on the incident's page.
  "@container": { [stacked]: { overflow: "hidden", whiteSpace: "nowrap", textOverflow: "ellipsis" } },
});
