import { href } from "~/href";

/**
 * A path of our own to go to after signing in, or the fallback. Anything a browser could read as another origin
 * (`//evil`, `/\evil`, `/%09/evil`, `https:evil`, control characters) is refused.
 */
export function ownPath(candidate: string | null | undefined, fallback = href("/dashboard")): string {
  if (!candidate || candidate.length > 2_000 || !candidate.startsWith("/")) return fallback;
  const decoded = decodeFully(candidate);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these from URLs, so `/<tab>/evil` is `//evil`.
  if (/^\/[\\/]|\\|[\u0000-\u001f\u007f]/.test(decoded)) return fallback;
  const origin = "https://portal.invalid";
  const url = new URL(candidate, origin);
  // Resolving `.` and `..` can bring forth what was not there before: `/..//evil` is `//evil`.
  if (url.origin !== origin || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}

/** Every layer of percent-encoding taken off; a percent sign that encodes nothing means itself. */
function decodeFully(text: string): string {
  let current = text;
  for (let round = 0; round < 3; round++) {
    const next = current.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
    if (next === current) break;
    current = next;
  }
  return current;
}

/** Names the form that waits for its sender, in the address of its page. */
export const keptParameter = "kept";
/** Instead of a form's id, where it could not be kept. */
export const lostForm = "lost";

/** The page of a form, showing what was typed in it. */
export function keptPath(request: Request, kept: string): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set(keptParameter, kept);
  return `${pathname}?${searchParams}`;
}

/**
 * Where to sign in, coming back to the page that was asked for, or whose form was sent.
 * @param kept of a form that was sent: its id, or that it is lost
 */
export function loginPath(request: Request, kept?: string): string {
  const { pathname, search } = new URL(request.url);
  const redirectTo = kept ? keptPath(request, kept) : pathname + search;
  return href("/login", { redirectTo: redirectTo === "/" ? undefined : redirectTo });
}
