import { type JsonRecord, toList } from "../../json/json-value.ts";
import { checkString } from "./check-scalar.ts";
import { sampleForPattern } from "./sample-patterns.ts";

const byFormat: Record<string, string> = {
  "date-time": "2026-01-15T09:30:00Z",
  date: "2026-01-15",
  time: "09:30:00Z",
  duration: "P1D",
  email: "user@example.com",
  "idn-email": "user@example.com",
  hostname: "example.com",
  "idn-hostname": "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com",
  url: "https://example.com",
  iri: "https://example.com",
  "uri-reference": "/example",
  "iri-reference": "/example",
  "uri-template": "/example/{id}",
  uuid: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  byte: "ZXhhbXBsZQ==",
  base64url: "ZXhhbXBsZQ",
  binary: "example",
  password: "example-password",
  "json-pointer": "/example",
  "relative-json-pointer": "0/example",
  regex: "^example$",
  // Numbers too large for JSON are often sent as text.
  ...Object.fromEntries(
    ["int32", "int64", "uint32", "uint64", "decimal", "double", "float"].map((name) => [name, "1"]),
  ),
};

/** Samples of dates and times. */
export const sampleTimes: readonly string[] = [byFormat["date-time"]!, byFormat.date!];

const maxDisplayedLength = 100_000;

/** Further texts of a format, for bounds that exclude the usual one. */
const shorter: Record<string, string[]> = {
  email: ["a@b.co"],
  "idn-email": ["a@b.co"],
  hostname: ["a.co", "a"],
  "idn-hostname": ["a.co", "a"],
  uri: ["http://a.co", "urn:a:b", "a:b"],
  url: ["http://a.co"],
  iri: ["http://a.co", "a:b"],
  "uri-reference": ["/a", "a", ""],
  "iri-reference": ["/a", "a", ""],
  "uri-template": ["/a", "a", ""],
  ipv6: ["::1", "2001:0db8:0000:0000:0000:0000:0000:0001"],
  ipv4: ["1.1.1.1", "192.168.100.100"],
  "date-time": ["2026-01-15T09:30:00.000Z", "2026-01-15T09:30:00.000+00:00"],
  time: ["09:30:00.000Z", "09:30:00.000+00:00"],
  duration: ["P1Y2M3DT4H5M6S"],
  "json-pointer": ["/a", ""],
  "relative-json-pointer": ["0"],
  regex: ["a", ""],
  byte: ["AAAA", ""],
};

/** A text that the schema allows; undefined when none was found or the shortest allowed one is too long to display. */
export function sampleString(schema: JsonRecord): string | undefined {
  const shortestLength = typeof schema.minLength === "number" ? schema.minLength : 0;
  const longestLength = typeof schema.maxLength === "number" ? schema.maxLength : Number.POSITIVE_INFINITY;
  if (shortestLength > longestLength || shortestLength > maxDisplayedLength) return undefined;
  const fits = (text: string | undefined): text is string => {
    if (text === undefined) return false;
    let isValid = true;
    checkString(text, schema, () => {
      isValid = false;
    });
    return isValid;
  };
  const patterns = [schema.pattern, ...toList(schema.morePatterns)].filter(
    (pattern): pattern is string => typeof pattern === "string" && pattern !== "",
  );
  for (const text of listFormatted(schema.format, shortestLength)) if (fits(text)) return text;
  for (const pattern of patterns) {
    const text = sampleForPattern(pattern, shortestLength, longestLength, fits);
    if (text !== undefined) return text;
  }
  const length = Math.min(Math.max(shortestLength, 6), longestLength);
  const plain = "string".repeat(Math.ceil(length / 6)).slice(0, length);
  return fits(plain) ? plain : undefined;
}

function listFormatted(format: unknown, length: number): (string | undefined)[] {
  if (typeof format !== "string" || !Object.hasOwn(byFormat, format)) return [];
  return [byFormat[format], stretch(format, length), ...(shorter[format] ?? [])];
}

/** Formats whose texts may be longer. */
function stretch(format: string, length: number): string | undefined {
  if (format === "uri" || format === "url" || format === "iri") {
    return `https://example.com/${"a".repeat(Math.max(0, length - 20))}`;
  }
  if (/^(uri|iri)-(reference|template)$|^json-pointer$/.test(format)) return `/${"a".repeat(Math.max(0, length - 1))}`;
  if (format === "byte") return "AAAA".repeat(Math.ceil(length / 4));
  if (format === "email" || format === "idn-email") return stretchEmail(length);
  if (format === "regex" || format === "binary" || format === "password") return "a".repeat(length);
  return undefined;
}

/** At most 64 characters before the sign, and 63 in each part of the host. */
function stretchEmail(length: number): string {
  const name = "a".repeat(Math.max(1, Math.min(64, length - 12)));
  let host = "example.com";
  while (name.length + 1 + host.length < length) {
    host = `${"a".repeat(Math.min(63, Math.max(1, length - name.length - host.length - 2)))}.${host}`;
  }
  return `${name}@${host}`;
}

/** Further texts of the same schema, for lists with unique items; some may not match it. */
export function listVariations(text: string, number: number, schema: JsonRecord): string[] {
  const format = typeof schema.format === "string" && Object.hasOwn(byFormat, schema.format) ? schema.format : "";
  if (format === "uuid") return [text.slice(0, -4) + String(number % 10_000).padStart(4, "0")];
  if (format === "email" || format === "idn-email") return [`user${number}@example.com`, `a${number}@b.co`];
  if (format === "date-time" || format === "date") {
    return [text.replace(/^\d{4}/, String(2_000 + (number % 1_000)))];
  }
  const digits = String(number);
  const counted = [`${text}${number}`, `${text.slice(0, -digits.length)}${digits}`, digits, `${digits}${text}`];
  // A pattern often allows another character in one of the places.
  const last = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
  const changed =
    typeof schema.pattern === "string" && text.length > 0
      ? last.flatMap((character) => [text.slice(0, -1) + character, character + text.slice(1)])
      : [];
  return [...counted, ...changed];
}
