import { z } from "zod";
import { expireCookie, readCookies, setCookie } from "~/session/cookies";

const themeCookie = "theme";
const cookieSeconds = 365 * 24 * 60 * 60;

/** `system` follows the device, the default of every page. */
export const theme = z.enum(["system", "light", "dark"], { error: "Choose one of the themes" });
export type Theme = z.infer<typeof theme>;

export function readTheme(request: Request): Theme {
  return theme.safeParse(readCookies(request)[themeCookie]).data ?? "system";
}

export function keepTheme(chosen: Theme, secure: boolean): string {
  if (chosen === "system") return expireCookie(themeCookie, secure);
  return setCookie(themeCookie, chosen, { secure, maxAgeSeconds: cookieSeconds });
}
