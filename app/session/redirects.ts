import { href } from "~/href";

/**
 * A path of the portal to go to after sign-in, or the fallback. Anything that a browser could read as another origin
 * (`//evil`, `/\evil`, `/%09/evil`, `https:evil`, control characters) is refused.
 */
export function ownPath(candidate: string | null | undefined, fallback = href("/dashboard")): string {
  if (!candidate || candidate.length > 2_000 || !candidate.startsWith("/")) return fallback;
  const decoded = decodeFully(candidate);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these from URLs, so `/<tab>/evil` is `//evil`.
  if (/^\/[\\/]|\\|[\u0000-\u001f\u007f]/.test(decoded)) return fallback;
  const origin = "https://portal.invalid";
  const url = new URL(candidate, origin);
  // Resolving `.` and `..` can create a double slash: `/..//evil` is `//evil`.
  if (url.origin !== origin || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}

/** Removes every layer of percent-encoding; a percent sign that encodes nothing is literal. */
function decodeFully(text: string): string {
  let current = text;
  for (let round = 0; round < 3; round++) {
    const next = current.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
    if (next === current) break;
    current = next;
  }
  return current;
}

/** Query parameter with the id of the stored form, in the address of its page. */
export const savedFormParameter = "kept";
/** Replaces the id of a form that could not be stored. */
export const lostForm = "lost";

/** The page of a form, with the typed values restored. */
export function toSavedFormPath(request: Request, stored: string): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set(savedFormParameter, stored);
  return `${pathname}?${searchParams}`;
}

/**
 * The sign-in page that leads back to the requested page or to the page of the submitted form.
 * @param stored for a submitted form: its id, or that it is lost
 */
export function loginPath(request: Request, stored?: string): string {
  const { pathname, search } = new URL(request.url);
  const redirectTo = stored ? toSavedFormPath(request, stored) : pathname + search;
  return href("/login", { redirectTo: redirectTo === "/" ? undefined : redirectTo });
}
