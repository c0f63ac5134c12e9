import type { JsonRecord } from "../../json/json-value.ts";
import { patternChecker, sampleForPattern } from "./sample-patterns.ts";

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

/** A text that the schema allows; undefined when none was found or the shortest allowed one is too long to display. */
export function sampleString(schema: JsonRecord): string | undefined {
  const shortestLength = typeof schema.minLength === "number" ? schema.minLength : 0;
  const longestLength = typeof schema.maxLength === "number" ? schema.maxLength : Number.POSITIVE_INFINITY;
  if (shortestLength > longestLength || shortestLength > maxDisplayedLength) return undefined;
  const fits = (text: string | undefined): text is string =>
    text !== undefined && text.length >= shortestLength && text.length <= longestLength;
  const formatted =
    typeof schema.format === "string" && Object.hasOwn(byFormat, schema.format) ? byFormat[schema.format] : undefined;
  if (typeof schema.pattern === "string" && schema.pattern !== "") {
    return sampleForPattern(schema.pattern, shortestLength, longestLength);
  }
  if (fits(formatted)) return formatted;
  const stretched = stretch(schema.format, shortestLength);
  if (fits(stretched)) return stretched;
  if (longestLength === 0) return "";
  return "string"
    .repeat(Math.ceil(Math.max(shortestLength, 6) / 6))
    .slice(0, Math.min(Math.max(shortestLength, 6), longestLength));
}

/** Formats without a maximum length. */
function stretch(format: unknown, length: number): string | undefined {
  if (format === "uri" || format === "url") return `https://example.com/${"a".repeat(Math.max(0, length - 20))}`;
  if (format === "byte") return "AAAA".repeat(Math.ceil(length / 4));
  return undefined;
}

/** Further texts of the same schema, for lists with unique items. */
export function listVariations(text: string, number: number, schema: JsonRecord): string[] {
  const candidates = [`${text}${number}`, `${number}`, `${text.slice(0, -1)}${number}`, `${number}${text}`];
  const matches = typeof schema.pattern === "string" ? patternChecker(schema.pattern) : () => true;
  if (!matches) return [];
  const isStrict = typeof schema.format === "string" && Object.hasOwn(byFormat, schema.format);
  if (isStrict)
    return schema.format === "uuid" || schema.format === "email"
      ? [`${text.startsWith("user@") ? `user${number}${text.slice(4)}` : text.slice(0, -1) + (number % 10)}`]
      : [];
  return candidates.filter(matches);
}
