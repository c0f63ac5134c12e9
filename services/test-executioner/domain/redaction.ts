/** Stands where a secret stood. */
export const redacted = "[secret]";

export interface KnownSecret {
  secret: string;
  /** With Basic: the pair's other half, so that the encoded pair goes as a whole. */
  username?: string;
}

export interface Redactor {
  text(text: string): string;
  /** Every text within a JSON value, names of members included. */
  value<Value>(value: Value): Value;
  /** For a text that was cut off: a secret begun at its end goes too. */
  cutText(text: string): string;
}

/** Shorter pieces of an encoded secret tell nothing and would blot out innocent text. */
const shortestFragment = 4;

/**
 * Finds secrets in every form an echo may give them back: as they are, JSON-, URL-, form- and HTML-escaped, in hex,
 * and inside base64 or base64url at any of the three alignments. Case is ignored, which covers both hex alphabets.
 * Answers undefined when there is nothing to hide, so that most executions pay nothing.
 */
export function createRedactor(secrets: readonly KnownSecret[]): Redactor | undefined {
  const forms = [...new Set(secrets.flatMap(listForms))]
    .filter((form) => form !== "")
    .sort((a, b) => b.length - a.length);
  if (forms.length === 0) return undefined;
  const pattern = new RegExp(forms.map((form) => form.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")).join("|"), "gi");
  const text = (given: string) => given.replace(pattern, redacted);
  const value = (given: unknown): unknown => {
    if (typeof given === "string") return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (given === null || typeof given !== "object") return given;
    return Object.fromEntries(Object.entries(given).map(([name, member]) => [text(name), value(member)]));
  };
  return {
    text,
    value: value as Redactor["value"],
    cutText(given) {
      const whole = text(given);
      const tail = whole.toLowerCase();
      const longest = forms
        .map((form) => begunAtEnd(tail, form.toLowerCase()))
        .reduce((most, length) => Math.max(most, length), 0);
      return longest > 0 ? whole.slice(0, whole.length - longest) + redacted : whole;
    },
  };
}

/** How much of the form stands at the very end of the text, when at least a telling piece of it does. */
function begunAtEnd(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length >= shortestFragment; length -= 1) {
    if (text.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}

function listForms({ secret, username }: KnownSecret): string[] {
  if (secret === "") return [];
  const forms = listTextForms(secret);
  if (username !== undefined) {
    const pair = Buffer.from(`${username}:${secret}`, "utf8");
    forms.push(...listBase64Spellings(pair.toString("base64")), ...listBase64Spellings(pair.toString("base64url")));
  }
  return forms;
}

function listTextForms(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const byteList = [...bytes];
  const urlEncoded = encodeURIComponent(bytes.toString("utf8"));
  const json = JSON.stringify(secret).slice(1, -1);
  const units = [...Array(secret.length).keys()].map((index) => secret.charCodeAt(index));
  const long = [
    urlEncoded,
    encodeURIComponent(urlEncoded),
    urlEncoded.replace(/%20/g, "+"),
    urlEncoded.replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16)}`),
    encodeURI(bytes.toString("utf8")),
    byteList.map((byte) => `%${hex(byte, 2)}`).join(""),
    json,
    json.replace(/\//g, "\\/"),
    json.replace(/[^\0-\x7f]/g, (character) => `\\u${hex(character.charCodeAt(0), 4)}`),
    JSON.stringify(json).slice(1, -1),
    units.map((unit) => `\\u${hex(unit, 4)}`).join(""),
    escapeHtml(secret, "&#39;", "&#34;"),
    escapeHtml(secret, "&#x27;", "&quot;"),
    escapeHtml(secret, "&apos;", "&quot;"),
    escapeHtml(secret, "'", "&quot;"),
    bytes.toString("latin1"),
    bytes.toString("hex"),
    byteList.map((byte) => `\\x${hex(byte, 2)}`).join(""),
    ...listBase64Fragments(bytes).flatMap(listBase64Spellings),
  ];
  return [secret, ...long.filter((form) => form.length >= shortestFragment)];
}

/** The part of the secret's base64 that is the same whatever stands before and after it, for each alignment. */
function listBase64Fragments(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    return encoded.slice(first, last);
  });
}

function listBase64Spellings(encoded: string): string[] {
  const url = encoded.replace(/\+/g, "-").replace(/\//g, "_");
  return [encoded, url, encodeURIComponent(encoded), encoded.replace(/\//g, "\\/")];
}

function escapeHtml(text: string, apostrophe: string, quotation: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/'/g, apostrophe)
    .replace(/"/g, quotation);
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}
