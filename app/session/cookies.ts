import { parse, serialize } from "cookie";
import { href } from "~/href";

/**
 * Maximum length of one cookie's value; longer values are split into numbered parts (section 9 of the specification).
 */
export const cookiePartLength = 4000;
export const consentCookieName = "cookiesAccepted";
const consentSeconds = 30 * 24 * 60 * 60;

export function readCookies(request: Request): Record<string, string | undefined> {
  return parse(request.headers.get("cookie") ?? "");
}

export function hasConsent(request: Request): boolean {
  return readCookies(request)[consentCookieName] === "Y";
}

export interface CookieOptions {
  secure: boolean;
  maxAgeSeconds: number;
  httpOnly?: boolean;
}

export function setCookie(name: string, value: string, options: CookieOptions): string {
  return serialize(name, value, {
    path: href("/"),
    sameSite: "lax",
    secure: options.secure,
    httpOnly: options.httpOnly ?? true,
    maxAge: options.maxAgeSeconds,
  });
}

export function expireCookie(name: string, secure: boolean): string {
  return setCookie(name, "", { secure, maxAgeSeconds: 0 });
}

export function acceptCookies(secure: boolean): string {
  return setCookie(consentCookieName, "Y", { secure, maxAgeSeconds: consentSeconds });
}

/** Declining removes everything that the browser stores for us. */
export function declineCookies(request: Request, secure: boolean): string[] {
  return Object.keys(readCookies(request)).map((name) => expireCookie(name, secure));
}

/** Splits a value over `name.0`, `name.1`, …; parts of an earlier, longer value are expired. */
export function splitCookie(name: string, value: string, request: Request, options: CookieOptions): string[] {
  const parts = value.match(new RegExp(`.{1,${cookiePartLength}}`, "g")) ?? [];
  const stale = partNames(name, request).filter((part) => Number(part.slice(name.length + 1)) >= parts.length);
  return [
    ...parts.map((part, index) => setCookie(`${name}.${index}`, part, options)),
    ...stale.map((part) => expireCookie(part, options.secure)),
  ];
}

/** Joins the numbered parts; undefined if there is none or one is missing. */
export function joinCookie(name: string, request: Request): string | undefined {
  const cookies = readCookies(request);
  const names = partNames(name, request);
  const parts = names.map((_, index) => cookies[`${name}.${index}`]);
  if (parts.length === 0 || parts.includes(undefined)) return undefined;
  return parts.join("");
}

function partNames(name: string, request: Request): string[] {
  return Object.keys(readCookies(request)).filter(
    (candidate) => candidate.startsWith(`${name}.`) && /^\d{1,2}$/.test(candidate.slice(name.length + 1)),
  );
}
