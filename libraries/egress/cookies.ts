/** Cookies that are sent and set while redirects are followed. The request's own cookies of the same name win. */
export interface CookieStore {
  /** The Cookie header for a URL; undefined without cookies. */
  find(url: URL): string | undefined;
  /** Set-Cookie headers of a redirect from this URL. */
  store(url: URL, lines: string[]): void | Promise<void>;
}

type Headers = [name: string, value: string][];

/** The headers with these cookies beside their own, in one Cookie header. */
export function addCookies(headers: Headers, cookies: string | undefined): Headers {
  if (!cookies) return headers;
  const isCookie = ([name]: [string, string]) => name.toLowerCase() === "cookie";
  const own = headers.filter(isCookie).map(([, value]) => value);
  const names = new Set(own.flatMap(listPairs).map(nameOf));
  const added = listPairs(cookies).filter((pair) => !names.has(nameOf(pair)));
  if (added.length === 0) return headers;
  return [...headers.filter((header) => !isCookie(header)), ["cookie", [...own, ...added].join("; ")]];
}

export function listSetCookies(headers: Headers): string[] {
  return headers.flatMap(([name, value]) => (name.length === 10 && name.toLowerCase() === "set-cookie" ? [value] : []));
}

function listPairs(cookies: string): string[] {
  return cookies.split(/;\s*/).filter(Boolean);
}

function nameOf(pair: string): string {
  return pair.split("=", 1)[0]!.trim();
}
