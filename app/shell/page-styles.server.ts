import { createHash } from "node:crypto";
import styles from "virtual:styles";
import type { EntryContext } from "@remix-run/node";
import { hasConsent, readCookies, setCookie } from "~/session/cookies";

const cookieName = "styles";
const cookieSeconds = 365 * 24 * 60 * 60;
const allRules = Object.entries(styles.rules);
const version = styles.sheet.replace(/^.*-|\.css$/g, "");

/** The styles of a page. */
export interface PageStyles {
  /** The inlined rules; undefined if the browser has the shared sheet. */
  rules?: string;
  /** Address of the shared sheet; undefined where nothing may be stored in the browser. */
  sheet?: string;
}

/**
 * A page inlines its styles until the browser has the shared sheet, so it renders as soon as it arrives, however long
 * the next request takes. Only a cookie reveals this, so without consent every page inlines its styles.
 */
export function getPageStyles(request: Request, context: EntryContext): PageStyles {
  // In development only that sheet exists, with the current styles.
  if (allRules.length === 0) return { sheet: styles.sheet };
  const consents = hasConsent(request);
  if (consents && readCookies(request)[cookieName] === version) return { sheet: styles.sheet };
  return { rules: getRules(context), ...(consents ? { sheet: styles.sheet } : {}) };
}

/** The page with inlined rules also makes the browser load the shared sheet, so from now on it has it. */
export function rememberSheet({ rules, sheet }: PageStyles, secure: boolean): string | undefined {
  return rules && sheet ? setCookie(cookieName, version, { secure, maxAgeSeconds: cookieSeconds }) : undefined;
}

/** @returns the source for a Content-Security-Policy, for a page shared by all viewers that can't have a nonce */
export function hashRules(rules: string): string {
  return `'sha256-${createHash("sha256").update(rules).digest("base64")}'`;
}

/** Of the rendered routes. */
function getRules({ manifest, staticHandlerContext }: EntryContext): string {
  const displayed = new Set(staticHandlerContext.matches.flatMap(({ route }) => manifest.routes[route.id]?.css ?? []));
  let rules = "";
  for (const [address, ofAddress] of allRules) if (displayed.has(address)) rules += ofAddress;
  return rules;
}
