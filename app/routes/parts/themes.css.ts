import { assignVars, style } from "@vanilla-extract/css";
import { dark, light } from "~/styles/palettes";
import { plot } from "~/styles/plot-colours.css";
import { plotPalettes } from "~/styles/plot-palettes";
import { syntax } from "~/styles/syntax-colours.css";
import { syntaxPalettes } from "~/styles/syntax-palettes";
import { colour, space } from "~/styles/tokens.css";

/** Both themes on one page, independent of the reader's choice; elsewhere only the root element has one. */
const themed = (palette: typeof light, name: "light" | "dark") =>
  style({
    vars: {
      ...assignVars(colour, palette),
      ...assignVars(plot, plotPalettes[name]),
      ...assignVars(syntax, syntaxPalettes[name]),
    },
    colorScheme: name,
    minWidth: 0,
    padding: space.large,
    background: colour.page,
    color: colour.ink,
  });

export const theme = { light: themed(light, "light"), dark: themed(dark, "dark") };

export const beside = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr)" });
