import type { AddressField } from "#contracts/portal-service/billing-address.ts";
import { type CountryRules, countryName, type FieldRule, findCountry } from "./country.ts";

export type Address = { country: string; vatId?: string } & Partial<Record<AddressField, string>>;

export interface AddressError {
  path: string;
  message: string;
}

const article = (words: string) => (/^[aeiou]/i.test(words) ? "an" : "a");
const lowered = (label: string) =>
  /^([A-Z]{2}|Eircode)/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

function getFault(rule: FieldRule, value: string): string | undefined {
  const label = lowered(rule.label);
  if (!value) return rule.required ? (rule.choices ? `Choose the ${label}` : `Enter the ${label}`) : undefined;
  if (rule.choices && !rule.choices.some((choice) => choice.value === value)) return `Choose the ${label}`;
  // The expressions come from the bundled data and are a few characters each; none is user input.
  const isOfForm = !rule.pattern || new RegExp(`^(?:${rule.pattern})$`, "i").test(value);
  return isOfForm ? undefined : `Enter ${article(label)} ${label}, e.g. ${rule.example}`;
}

/** The errors of an address by the rules of its country. */
export function findAddressErrors(address: Address): AddressError[] {
  const country = findCountry(address.country);
  if (!country) return [{ path: "country", message: "Choose a country" }];
  return country.fields.flatMap((rule) => {
    const message = getFault(rule, address[rule.name] ?? "");
    return message ? [{ path: rule.name, message }] : [];
  });
}

/** Drops the fields that its country does not have. */
export function toStoredAddress(address: Address, { fields }: CountryRules): Address {
  const stored: Address = { country: address.country };
  for (const { name } of fields) {
    const value = address[name];
    if (value) stored[name] = value;
  }
  return address.vatId ? { ...stored, vatId: address.vatId } : stored;
}

const fieldCodes: Record<string, AddressField> = {
  O: "organization",
  N: "name",
  A: "street",
  D: "district",
  C: "city",
  S: "area",
  Z: "postalCode",
  X: "sortingCode",
};

/** An address as formatted for mail in its country, with the country's name last. */
export function toLines(address: Address): string[] {
  const { format } = findCountry(address.country) ?? { format: "%O%n%N%n%A%n%Z %C" };
  const whole = format.includes("%O") ? format : `%O%n${format}`;
  const lines = whole
    .split("%n")
    .map((line) => line.replace(/%([ONADCSZX])/g, (_, code: string) => address[fieldCodes[code]!] ?? ""))
    .flatMap((line) => line.split(/\r?\n/))
    .map((line) => line.replace(/\s+/g, " ").replace(/^[\s,/–-]+|[\s,/–-]+$/g, ""))
    .filter(Boolean);
  return [...lines, countryName(address.country)];
}
