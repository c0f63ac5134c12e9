import type { CookieJar } from "tough-cookie";
import { addCookies, type CookieStore } from "../../egress/cookies.ts";
import type { KnownSecret } from "../../redaction/patterns.ts";
import { redacted } from "../../redaction/redactor.ts";
import { listSecrets } from "../../redaction/secret-signs.ts";
import { noCookies } from "../test-to-run.ts";

/** Characters of a Set-Cookie header; RFC 6265, 6.1 asks for 4,096 bytes. */
const longestLine = 4_096;
/** Cookies of one run. Everything stored is searched for each of them. */
const maxCookies = 100;

/** Cookies that responses set, sent again as RFC 6265 says: to their own host and path only, none for a public suffix. */
export interface RunCookies extends CookieStore {
  /** The request's headers as they are displayed: names of cookies, no values. */
  show(url: URL, headers: [string, string][]): [string, string][];
  listSecrets(): KnownSecret[];
  /** For the members after this one, and for another process; undefined if no response set a cookie. */
  write(): string | undefined;
}

/** The library has the list of public suffixes, so it is loaded only for a run that uses cookies. */
export async function openCookies(written: string): Promise<RunCookies> {
  const library = await import("tough-cookie");
  return toRunCookies(written === noCookies ? new library.CookieJar() : library.CookieJar.deserializeSync(written));
}

/** Cookies of one chain of redirects, which most requests do not have. */
export function createChainCookies(): CookieStore {
  let opened: RunCookies | undefined;
  return {
    find: (url) => opened?.find(url),
    async store(url, lines) {
      opened ??= await openCookies(noCookies);
      await opened.store(url, lines);
    },
  };
}

function toRunCookies(jar: CookieJar): RunCookies {
  let hasChanged = false;
  const listAll = () => jar.serializeSync()?.cookies ?? [];
  return {
    find: (url) => jar.getCookieStringSync(url.href) || undefined,
    store(url, lines) {
      for (const line of lines) {
        if (line.length > longestLine || listAll().length >= maxCookies) continue;
        hasChanged = true;
        jar.setCookieSync(line, url.href, { ignoreError: true });
      }
    },
    show(url, headers) {
      const found = jar.getCookiesSync(url.href).map(({ key }) => `${key}=${redacted}`);
      return found.length === 0 ? headers : addCookies(headers, found.join("; "));
    },
    // As of typed cookies: a short value that only its cookie makes a secret is none elsewhere.
    listSecrets: () => listAll().flatMap(({ key = "", value = "" }) => listSecrets("cookie", key, value)),
    // Serialized, a jar says when each cookie was last read, so comparing it would not do.
    write: () => (hasChanged ? JSON.stringify(jar.serializeSync()) : undefined),
  };
}
