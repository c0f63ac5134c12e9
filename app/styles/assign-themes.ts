import { assignVars, globalStyle } from "@vanilla-extract/css";

/** One set of values for every theme. */
export interface ThemeValues<Values> {
  light: Values;
  dark: Values;
  lightMoreContrast: Values;
  darkMoreContrast: Values;
  forced: Values;
}

const systemDark = ":root:not([data-theme=light])";
const chosenDark = ":root[data-theme=dark]";
const prefersDark = "(prefers-color-scheme: dark)";
const moreContrast = "(prefers-contrast: more)";

/**
 * Gives a theme contract its values. Without a choice the system decides; `data-theme="light"` or `"dark"` on the root
 * element overrides it. More contrast and forced colours are never overridden: users who set them need them.
 *
 * Call it from a `.css.ts` file.
 */
export function assignThemes<Contract extends Parameters<typeof assignVars>[0]>(
  contract: Contract,
  themes: ThemeValues<Parameters<typeof assignVars<Contract>>[1]>,
): void {
  const rule = (selector: string, values: Parameters<typeof assignVars<Contract>>[1], condition?: string) => {
    const vars = assignVars(contract, values);
    globalStyle(selector, condition ? { "@media": { [condition]: { vars } } } : { vars });
  };
  rule(":root", themes.light);
  rule(systemDark, themes.dark, prefersDark);
  rule(chosenDark, themes.dark);
  rule(":root", themes.lightMoreContrast, moreContrast);
  rule(systemDark, themes.darkMoreContrast, `${moreContrast} and ${prefersDark}`);
  rule(chosenDark, themes.darkMoreContrast, moreContrast);
  // The root three times, so that the user's own contrast and colours outrank a chosen theme.
  rule(":root:root:root", themes.forced, "(forced-colors: active)");
}
