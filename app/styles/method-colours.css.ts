import { createGlobalThemeContract } from "@vanilla-extract/css";
import { assignThemes } from "./assign-themes.ts";
import { methodPalettes } from "./method-palettes.ts";

/** Separate from the other colours, so that only pages that name operations load them. */
export const methodColour = createGlobalThemeContract(
  methodPalettes.light,
  (_value, path) => `method-${path.join("-")}`,
);

assignThemes(methodColour, methodPalettes);
