import { toPlain } from "../names.ts";

/** By the end of a member's name; domains, addresses and numbers are those reserved for examples. */
const typical: [RegExp, string][] = [
  [/(url|uri|website|homepage|href|webhook|endpoint)$/, "https://example.com"],
  [/(phone|phonenumber|mobile|msisdn)$/, "+12025550123"],
  [/(hostname|domain|domainname)$/, "example.com"],
  [/(ipaddress|ipv4)$/, "192.0.2.1"],
  [/timezone$/, "UTC"],
  [/(currency|currencycode)$/, "EUR"],
  [/(countrycode|country)$/, "DE"],
  [/(locale|language|languagecode|lang)$/, "en"],
  [/(color|colour)$/, "#336699"],
];

/** What a text of this name usually is, where its schema does not say: servers refuse `string` for a URL. */
export function findTypicalText(name: string): string | undefined {
  const plain = toPlain(name);
  return typical.find(([pattern]) => pattern.test(plain))?.[1];
}
