import { createGlobalThemeContract } from "@vanilla-extract/css";
import { assignThemes } from "./assign-themes.ts";
import { syntaxPalettes } from "./syntax-palettes.ts";

/** Separate from the other colours, so that only pages with code load them. */
export const syntax = createGlobalThemeContract(syntaxPalettes.light, (_value, path) => `syntax-${path.join("-")}`);

assignThemes(syntax, syntaxPalettes);
