import { isTimeZone } from "#libraries/time-zone/wall-clock.ts";
import { expireCookie, hasConsent, readCookies } from "~/session/cookies";
import type { AuthSession } from "~/session/stored-session";

/** Cookie set by the page's script, with the browser's zone. */
const timeZoneCookie = "timeZone";

/** The viewer's zone: the chosen one, or else the browser's; UTC while it is unknown. */
export function getTimeZone(request: Request, session: Pick<AuthSession, "timeZone"> | undefined): string {
  return session?.timeZone ?? browsersTimeZone(request) ?? "UTC";
}

export function browsersTimeZone(request: Request): string | undefined {
  const name = readCookies(request)[timeZoneCookie];
  return name && isTimeZone(name) ? name : undefined;
}

/** Whether the page's script should send it: never before cookies are accepted. */
export function asksForTimeZone(request: Request): boolean {
  return hasConsent(request) && browsersTimeZone(request) === undefined;
}

/** Makes the browser send it again. */
export function forgetTimeZone(secure: boolean): string {
  return expireCookie(timeZoneCookie, secure);
}
