import type { KnownSecret } from "../redaction/patterns.ts";
import { listSecrets, listWebTokens, type NamedPart } from "../redaction/secret-signs.ts";
import type { RequestPlan } from "./request-plan.ts";

/**
 * Secrets that were typed into a request instead of being stored as a credential. They are hidden as a credential's
 * are, since a header Authorization is no less secret for its origin.
 */
export function listTypedSecrets({ address, query, headers, cookies, body }: RequestPlan): KnownSecret[] {
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const found = [
    ...listWebTokens(address),
    ...(address.match(/(?<=^https?:\/\/[^/:@]*:)[^/@]+(?=@)/) ?? []).map((secret) => ({
      secret: decode("cookie", secret),
    })),
    ...query.flatMap((part) => listPairs("query", part)),
    ...headers.flatMap(([name, value]) => listSecrets("header", name, value)),
    ...cookies.flatMap((pair) => listPairs("cookie", pair)),
    ...(body === undefined ? [] : listBodySecrets(body, contentType)),
  ];
  return [...new Map(found.map((known) => [JSON.stringify(known), known])).values()];
}

/** Pairs of a query or a form. A template may contain a query of its own. */
function listPairs(part: NamedPart, text: string): KnownSecret[] {
  return text.split("&").flatMap((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 0) return listWebTokens(pair);
    return listSecrets(part, decode(part, pair.slice(0, equals)), decode(part, pair.slice(equals + 1)));
  });
}

function decode(part: NamedPart, text: string): string {
  const spaced = part === "cookie" ? text : text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

function listBodySecrets(body: string, contentType: string): KnownSecret[] {
  const pairs = /^multipart\//i.test(contentType)
    ? listParts(body)
    : /^application\/x-www-form-urlencoded/i.test(contentType)
      ? listPairs("form", body)
      : listMembers(body);
  return [...pairs, ...listWebTokens(body)];
}

function listParts(body: string): KnownSecret[] {
  const part = /\r\nContent-Disposition: form-data; name="([^"\r\n]*)"[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/gi;
  return [...body.matchAll(part)].flatMap((head) => {
    const from = head.index + head[0].length;
    const end = body.indexOf("\r\n--", from);
    return listSecrets("form", head[1]!, body.slice(from, end < 0 ? undefined : end));
  });
}

/** A string, a number, or a sign that separates them. */
const token = /"(?:[^"\\]|\\.)*"?|-?\d[\w.+-]*|[^\s"]/gs;

/** Texts and numbers of JSON, at any depth. Read token by token, since a test may send JSON that is broken. */
function listMembers(text: string): KnownSecret[] {
  if (!/^\s*[[{]/.test(text)) return [];
  const secrets: KnownSecret[] = [];
  let name: string | undefined;
  let before = "";
  for (const [read] of text.matchAll(token)) {
    if (read === ":") name = before;
    else if (name !== undefined) {
      if (/^["\d-]/.test(read)) secrets.push(...listSecrets("json", readText(name), readText(read)));
      name = undefined;
    }
    before = read;
  }
  return secrets;
}

function readText(read: string): string {
  if (!read.startsWith('"')) return read;
  try {
    return String(JSON.parse(read));
  } catch {
    return read.replace(/^"|"$/g, "");
  }
}
