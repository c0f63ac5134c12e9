import { isTimeZone } from "#libraries/time-zone/wall-clock.ts";
import { expireCookie, hasConsent, readCookies } from "~/session/cookies";
import type { AuthSession } from "~/session/stored-session";

/** Set by the page's script, from what the browser says. */
const timeZoneCookie = "timeZone";

/** The zone in whose days the viewer thinks: what they chose, or else what their browser says; UTC while nobody said. */
export function timeZoneOf(request: Request, session: Pick<AuthSession, "timeZone"> | undefined): string {
  return session?.timeZone ?? browsersTimeZone(request) ?? "UTC";
}

export function browsersTimeZone(request: Request): string | undefined {
  const name = readCookies(request)[timeZoneCookie];
  return name && isTimeZone(name) ? name : undefined;
}

/** Whether the page's script should say it: never before cookies are accepted. */
export function asksForTimeZone(request: Request): boolean {
  return hasConsent(request) && browsersTimeZone(request) === undefined;
}

/** Has the browser say it anew. */
export function forgetTimeZone(secure: boolean): string {
  return expireCookie(timeZoneCookie, secure);
}
