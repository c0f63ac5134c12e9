import { globalStyle } from "@vanilla-extract/css";
import { assignThemes } from "./assign-themes.ts";
import { dark, darkMoreContrast, forced, light, lightMoreContrast } from "./palettes.ts";
import { colour, shadow } from "./tokens.css.ts";

const lightShadows = {
  low: "0 1px 2px rgb(20 23 31 / 6%)",
  high: "0 1px 3px rgb(20 23 31 / 8%), 0 12px 32px rgb(20 23 31 / 14%)",
};

const darkShadows = {
  low: "0 0 transparent",
  high: "0 0 0 1px rgb(255 255 255 / 6%), 0 16px 40px rgb(0 0 0 / 60%)",
};

assignThemes(colour, { light, dark, lightMoreContrast, darkMoreContrast, forced });
assignThemes(shadow, {
  light: lightShadows,
  dark: darkShadows,
  lightMoreContrast: lightShadows,
  darkMoreContrast: darkShadows,
  forced: darkShadows,
});

// For the browser's own widgets: scroll bars, boxes, pickers.
globalStyle(":root", { colorScheme: "light dark" });
globalStyle(":root[data-theme=light]", { colorScheme: "light" });
globalStyle(":root[data-theme=dark]", { colorScheme: "dark" });
