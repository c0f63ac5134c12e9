import type { CollectedAssertion } from "../../collection.ts";

const subjects: Record<string, string> = {
  statusCode: "status code",
  body: "body",
  schema: "body",
  responseTime: "response time",
  bodySize: "body size",
  bodySha256: "SHA-256 of the body",
  charset: "charset",
  certificate: "days until the certificate expires",
  url: "final URL",
};

/** `matchesSchema` as `matches schema`. */
const toWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** An assertion in a few words, as in `$.id equals 7`. */
export function nameAssertion({ source, property, comparison, target }: CollectedAssertion): string {
  const subject =
    source === "header" || source === "cookie" ? `${source} ${property}` : (subjects[source] ?? property ?? source);
  if (target === undefined || comparison === "matchesSchema") return `${subject} ${toWords(comparison)}`;
  const text = JSON.stringify(target) ?? "";
  return `${subject} ${toWords(comparison)} ${text.length > 80 ? `${text.slice(0, 79)}…` : text}`;
}
