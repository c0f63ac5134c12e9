import { assignVars, globalStyle } from "@vanilla-extract/css";
import { dark, darkMoreContrast, forced, light, lightMoreContrast, type Palette } from "./palettes.ts";
import { colour, shadow } from "./tokens.css.ts";

/**
 * Without a choice the system decides; `data-theme="light"` or `"dark"` on the root element overrules it.
 * More contrast and forced colours are never overruled: who asks for them needs them.
 */

const lightShadows = assignVars(shadow, {
  low: "0 1px 2px rgb(20 23 31 / 6%)",
  high: "0 1px 3px rgb(20 23 31 / 8%), 0 12px 32px rgb(20 23 31 / 14%)",
});
const darkShadows = assignVars(shadow, {
  low: "0 0 transparent",
  high: "0 0 0 1px rgb(255 255 255 / 6%), 0 16px 40px rgb(0 0 0 / 60%)",
});

const systemDark = ":root:not([data-theme=light])";
const chosenDark = ":root[data-theme=dark]";
const prefersDark = "(prefers-color-scheme: dark)";
const moreContrast = "(prefers-contrast: more)";

const colours = (palette: Palette) => assignVars(colour, palette);

globalStyle(":root", { colorScheme: "light", vars: { ...colours(light), ...lightShadows } });
globalStyle(systemDark, {
  "@media": { [prefersDark]: { colorScheme: "dark", vars: { ...colours(dark), ...darkShadows } } },
});
globalStyle(chosenDark, { colorScheme: "dark", vars: { ...colours(dark), ...darkShadows } });

globalStyle(":root", { "@media": { [moreContrast]: { vars: colours(lightMoreContrast) } } });
globalStyle(systemDark, {
  "@media": { [`${moreContrast} and ${prefersDark}`]: { vars: colours(darkMoreContrast) } },
});
globalStyle(chosenDark, { "@media": { [moreContrast]: { vars: colours(darkMoreContrast) } } });

// :root:root, since a chosen theme must not come before the reader's own colours.
globalStyle(":root:root:root", { "@media": { "(forced-colors: active)": { vars: colours(forced) } } });
