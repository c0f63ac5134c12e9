import { createGlobalThemeContract } from "@vanilla-extract/css";
import { assignThemes } from "./assign-themes.ts";
import { plotPalettes } from "./plot-palettes.ts";

/** Separate from the other colours, so that only pages with plots load them. */
export const plot = createGlobalThemeContract(plotPalettes.light, (_value, path) => `plot-${path.join("-")}`);

assignThemes(plot, plotPalettes);
