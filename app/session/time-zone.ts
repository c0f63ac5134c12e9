import { isTimeZone } from "#libraries/time-zone/wall-clock.ts";
import { expireCookie, hasConsent, readCookies, setCookie } from "~/session/cookies";
import type { AuthSession } from "~/session/stored-session";

/** Cookie with the browser's zone, set by the page's script or where cookies are accepted. */
const timeZoneCookie = "timeZone";
const cookieSeconds = 30 * 24 * 60 * 60;

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

/** The cookie for the browser's zone, which came with a form that accepts cookies; none without script. */
export function keepTimeZone(form: FormData, secure: boolean): string[] {
  const name = String(form.get("timeZone") ?? "");
  const options = { secure, httpOnly: false, maxAgeSeconds: cookieSeconds };
  return isTimeZone(name) ? [setCookie(timeZoneCookie, name, options)] : [];
}

/** Makes the browser send it again. */
export function forgetTimeZone(secure: boolean): string {
  return expireCookie(timeZoneCookie, secure);
}
