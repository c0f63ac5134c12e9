import { rewrite } from "../placeholders.ts";

/** Names of variables have letters, digits, `_` and `-`. */
export const toHurlName = (name: string) => name.replace(/[^\w-]/g, "_");

const generated: Record<string, string> = { $uuid: "newUuid", $guid: "newUuid", $isoTimestamp: "newDate" };

export const writeVariable = (name: string) => `{{${generated[name] ?? toHurlName(name.replace(/^\$/, ""))}}}`;

export const hasValue = (name: string) => generated[name] !== undefined;

const unicode = (sign: string) => `\\u{${sign.codePointAt(0)!.toString(16)}}`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are escaped
const control = /[\0-\x1f\x7f]/g;
const named: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const escapeControl = (text: string) => text.replace(control, (sign) => named[sign] ?? unicode(sign));

/** `quoted-string` of the grammar. */
export function quote(text: string): string {
  return `"${rewrite(text, writeVariable, (literal) => escapeControl(literal.replace(/[\\"]/g, "\\$&")))}"`;
}

/** `key-string`. */
export function writeKey(text: string): string {
  return rewrite(text, writeVariable, (literal) => literal.replace(/[^\w.-]/gu, unicode));
}

/** `value-string`: white space at its ends is escaped, as it would be dropped. */
export function writeValue(text: string): string {
  const written = rewrite(text, writeVariable, (literal) => escapeControl(literal.replace(/[\\#]/g, "\\$&")));
  return written.replace(/^ +| +$/g, (spaces) => "\\u{20}".repeat(spaces.length));
}

export const writeLiteral = (text: string) => rewrite(text, writeVariable);
