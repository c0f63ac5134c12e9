import { z } from "zod";
import { expireCookie, readCookies, setCookie } from "~/session/cookies";

const keysCookie = "keys";
const cookieSeconds = 365 * 24 * 60 * 60;

/** Whether keys of a single character, such as `/`, do something (WCAG 2.1.4 lets users switch them off). */
export const singleKeys = z.enum(["on", "off"], { error: "Choose on or off" });
export type SingleKeys = z.infer<typeof singleKeys>;

export function readSingleKeys(request: Request): SingleKeys {
  return singleKeys.safeParse(readCookies(request)[keysCookie]).data ?? "on";
}

export function keepSingleKeys(chosen: SingleKeys, secure: boolean): string {
  if (chosen === "on") return expireCookie(keysCookie, secure);
  return setCookie(keysCookie, chosen, { secure, maxAgeSeconds: cookieSeconds });
}
