import type { Resource } from "#contracts/api-registry/resources.ts";

/** `a book`, `an order` */
export function withArticle(name: string): string {
  return `${/^(?:[aeio]|u(?!ni|se|ser|rl|uid))/i.test(name) ? "an" : "a"} ${name}`;
}

/** `books`, `categories`; without irregular ones. */
export function toPlural(name: string): string {
  if (/(?:series|news|media|data|info|people|status)$/i.test(name)) return name;
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh|z)$/i.test(name) ? `${name}es` : `${name}s`;
}

const acronyms = new Set([
  "api",
  "url",
  "uri",
  "id",
  "ip",
  "sku",
  "dns",
  "pdf",
  "csv",
  "sms",
  "vm",
  "faq",
  "qr",
  "sso",
]);

/** `API key` for `api key` */
export function spell(name: string): string {
  return name
    .split(" ")
    .map((word) => (acronyms.has(word) ? word.toUpperCase() : word))
    .join(" ");
}

export const capital = (words: string) => `${words[0]?.toUpperCase() ?? ""}${words.slice(1)}`;

/** `review of a book`, by the resources above it. */
export function nameWithParent({ name, parent }: Resource, find: (key: string) => Resource | undefined): string {
  const above = parent === null ? undefined : find(parent);
  return above ? `${name} of ${withArticle(above.name)}` : name;
}

const listed = new Intl.ListFormat("en", { type: "conjunction" });
export const inWords = (items: readonly string[]) => listed.format(items);
