import { noCookies, type OpenCapture } from "#libraries/running/test-to-run.ts";

/**
 * Cookies of a run are stored as a secret capture: sealed, handed on to the next member and to other workers, and copied
 * when the run is continued. A run without it has no cookie jar. Captures of tests never have this name: it has a space.
 */
export const cookieJarName = "cookie jar";

export function isCookieJar({ name }: { name: string }): boolean {
  return name === cookieJarName;
}

export function toCookieJar(cookies: string): OpenCapture {
  return { name: cookieJarName, isSecret: true, value: cookies };
}

export const emptyCookieJar = toCookieJar(noCookies);
