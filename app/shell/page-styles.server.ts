import { createHash } from "node:crypto";
import styles from "virtual:styles";
import type { EntryContext } from "@remix-run/node";
import { hasConsent, readCookies, setCookie } from "~/session/cookies";

const cookieName = "styles";
const keptSeconds = 365 * 24 * 60 * 60;
const allRules = Object.entries(styles.rules);
const version = styles.sheet.replace(/^.*-|\.css$/g, "");

/** How a page gets its styles. */
export interface PageStyles {
  /** The rules it brings along; undefined where the browser has the sheet of all pages. */
  rules?: string;
  /** Address of the sheet of all pages; undefined where none may be remembered. */
  sheet?: string;
}

/**
 * A page brings its styles along until the browser has the sheet of all pages: so it is seen as soon as it is there,
 * however long the next request takes. Only a cookie tells, so without consent every page brings its own.
 */
export function pageStylesOf(request: Request, context: EntryContext): PageStyles {
  // In development there is that sheet only, as the styles are now.
  if (allRules.length === 0) return { sheet: styles.sheet };
  const consents = hasConsent(request);
  if (consents && readCookies(request)[cookieName] === version) return { sheet: styles.sheet };
  return { rules: rulesOf(context), ...(consents ? { sheet: styles.sheet } : {}) };
}

/** From now on the browser has the sheet, which the page that brings its own rules lets it fetch. */
export function rememberSheet({ rules, sheet }: PageStyles, secure: boolean): string | undefined {
  return rules && sheet ? setCookie(cookieName, version, { secure, maxAgeSeconds: keptSeconds }) : undefined;
}

/** @returns as a Content-Security-Policy names it, for a page that everybody gets and so can't have a nonce */
export function hashOf(rules: string): string {
  return `'sha256-${createHash("sha256").update(rules).digest("base64")}'`;
}

/** Of the routes that are shown. */
function rulesOf({ manifest, staticHandlerContext }: EntryContext): string {
  const shown = new Set(staticHandlerContext.matches.flatMap(({ route }) => manifest.routes[route.id]?.css ?? []));
  let rules = "";
  for (const [address, ofAddress] of allRules) if (shown.has(address)) rules += ofAddress;
  return rules;
}
