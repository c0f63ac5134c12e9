import { expect, test } from "vitest";
import { findAddressErrors, toLines, toStoredAddress } from "./address.ts";
import { findCountry } from "./country.ts";

const getLabels = (code: string) => findCountry(code)!.fields.map(({ label }) => label);

test("a country has its own fields, in its own order and with its own labels", () => {
  expect(getLabels("US")).toEqual([
    "Organization",
    "For the attention of",
    "Street and number",
    "City",
    "State",
    "ZIP code",
  ]);
  expect(getLabels("GB").at(-1)).toBe("Postcode");
  expect(getLabels("GB")).toContain("Town");
  expect(getLabels("IE")).toEqual(expect.arrayContaining(["Townland", "County", "Eircode"]));
  expect(getLabels("DE").slice(-2)).toEqual(["Postcode", "City"]);
  expect(getLabels("JP")).toContain("Prefecture");
});

test("subdivisions of a country are chosen from a list, in Latin letters too", () => {
  const getArea = (code: string) => findCountry(code)!.fields.find(({ name }) => name === "area")?.choices;
  expect(getArea("US")).toContainEqual({ value: "CA", label: "California" });
  expect(getArea("JP")).toContainEqual({ value: "東京都", label: "Tokyo (東京都)" });
});

test("missing or malformed values are reported at their field, with an example", () => {
  const given = {
    country: "US",
    organization: "Books Inc.",
    street: "1 Main St",
    city: "Springfield",
    area: "Nowhere",
  };
  expect(findAddressErrors({ ...given, postalCode: "1234" })).toEqual([
    { path: "area", message: "Choose the state" },
    { path: "postalCode", message: "Enter a ZIP code, e.g. 95014" },
  ]);
  expect(findAddressErrors({ country: "DE" }).map(({ message }) => message)).toEqual([
    "Enter the organization",
    "Enter the street and number",
    "Enter the postcode",
    "Enter the city",
  ]);
  expect(findAddressErrors({ country: "XX" })).toEqual([{ path: "country", message: "Choose a country" }]);
  expect(findAddressErrors({ ...given, area: "CA", postalCode: "94105-1234" })).toEqual([]);
});

test("an address is stored without the fields its country lacks, and formatted as in mail there", () => {
  const address = {
    country: "DE",
    organization: "Bücher GmbH",
    street: "Weg 1\nHof 2",
    city: "Berlin",
    postalCode: "10115",
    area: "BE",
  };
  const stored = toStoredAddress(address, findCountry("DE")!);
  expect(stored).not.toHaveProperty("area");
  expect(toLines(stored)).toEqual(["Bücher GmbH", "Weg 1", "Hof 2", "10115 Berlin", "Germany"]);
});

test("the rules of every listed country can be read", () => {
  const codes = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].flatMap((one) =>
    [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((other) => one + other),
  );
  const known = codes.filter((code) => findCountry(code));
  expect(known.length).toBeGreaterThan(240);
  for (const code of known)
    for (const { pattern } of findCountry(code)!.fields) if (pattern) expect(() => new RegExp(pattern)).not.toThrow();
  expect(findCountry("../")).toBeUndefined();
  expect(findCountry("ZZ")).toBeUndefined();
});
