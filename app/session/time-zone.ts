import { hasConsent, readCookies, setCookie } from "~/session/cookies";
import { isTimeZone } from "../../services/kit/time-zone/wall-clock.ts";

/** Set by the page's script from what the browser says, or by who chooses another zone. */
export const timeZoneCookie = "timeZone";
const keptSeconds = 30 * 24 * 60 * 60;

/** The zone in whose days the viewer thinks; UTC while nobody said. */
export function timeZoneOf(request: Request): string {
  return readTimeZone(request) ?? "UTC";
}

function readTimeZone(request: Request): string | undefined {
  const name = readCookies(request)[timeZoneCookie];
  return name && isTimeZone(name) ? name : undefined;
}

/** Whether the page's script should say it: never before cookies are accepted. */
export function asksForTimeZone(request: Request): boolean {
  return hasConsent(request) && readTimeZone(request) === undefined;
}

export function keepTimeZone(name: string, secure: boolean): string {
  return setCookie(timeZoneCookie, name, { secure, maxAgeSeconds: keptSeconds });
}
