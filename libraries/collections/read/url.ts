import type { Pair } from "../collection.ts";
import { toPair } from "./reading.ts";

/** Percent-decoded where it is valid, otherwise as it is. Placeholders stay. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Without query and fragment, and the query's pairs, decoded. */
export function splitQuery(url: string): { url: string; query: Pair[] } {
  const [whole = ""] = url.split("#");
  const mark = whole.indexOf("?");
  if (mark < 0) return { url: whole, query: [] };
  return { url: whole.slice(0, mark), query: parsePairs(whole.slice(mark + 1)) };
}

/** Pairs of a query or of a form. */
export function parsePairs(text: string): Pair[] {
  return text
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const equals = part.indexOf("=");
      const [name, value] = equals < 0 ? [part, ""] : [part.slice(0, equals), part.slice(equals + 1)];
      return toPair(decode(name.replace(/\+/g, " ")), decode(value.replace(/\+/g, " ")));
    });
}

/** `:id` and segments that are nothing but a placeholder as `{id}`, with the values of the latter. */
export function toPathParameters(url: string): { url: string; pathParameters: Pair[] } {
  const pathParameters: Pair[] = [];
  const [, start = "", path = ""] = /^((?:[a-z][\w+.-]*:\/\/|\/\/)?(?:\{\{[^{}]*\}\}|[^/{])*)(\/.*)?$/is.exec(url) ?? [
    "",
    "",
    url,
  ];
  const segments = path.split("/").map((segment) => {
    const colon = /^:([\w-]+)$/.exec(segment)?.[1];
    if (colon !== undefined) return `{${colon}}`;
    const named = /^\{\{\s*([A-Za-z_][\w-]*)\s*\}\}$/.exec(segment)?.[1];
    if (named === undefined) return segment;
    if (!pathParameters.some(({ name }) => name === named)) pathParameters.push(toPair(named, `{{${named}}}`));
    return `{${named}}`;
  });
  return { url: start + segments.join("/"), pathParameters };
}
