import { expect, test } from "vitest";
import { readTypedAddresses } from "./typed-addresses";

const addressesIn = (text: string) => readTypedAddresses(text).map(({ address }) => address);

test("addresses are separated by any number of commas, semicolons, line breaks and blanks", () => {
  expect(addressesIn("a@x.com, b@x.com;c@x.com\r\nd@x.com\n\n ;, e@x.com\tf@x.com g@x.com")).toEqual(
    ["a", "b", "c", "d", "e", "f", "g"].map((name) => `${name}@x.com`),
  );
  expect(addressesIn(" \n,;")).toEqual([]);
});

test("a name around an address is dropped, also a quoted one with a comma", () => {
  expect(addressesIn('Ada Lovelace <ada@x.com>; "Doe, Jane" <jane@x.com>, <bob@x.com>\nmailto:eve@x.com')).toEqual([
    "ada@x.com",
    "jane@x.com",
    "bob@x.com",
    "eve@x.com",
  ]);
});

test("an entry without a valid address is kept as typed", () => {
  expect(readTypedAddresses("Ada Lovelace, nobody\n Bob <bob at x.com>")).toEqual([
    { typed: "Ada Lovelace", address: "Ada Lovelace" },
    { typed: "nobody", address: "nobody" },
    { typed: "Bob <bob at x.com>", address: "bob at x.com" },
  ]);
});

test("a quoted name has at most 200 characters, so that no text takes long to parse", () => {
  const named = (length: number) => addressesIn(`"${"n".repeat(length - 2)},n" <ada@x.com>`);
  expect(named(200)).toEqual(["ada@x.com"]);
  expect(named(201)).toEqual([`"${"n".repeat(199)}`, "ada@x.com"]);
  for (const sign of ['"', "<", '\\"', "a@"]) expect(addressesIn(sign.repeat(50_000))).toEqual([sign.repeat(50_000)]);
  expect(addressesIn("<>".repeat(50_000))).toEqual([""]);
  expect(addressesIn(" ".repeat(50_000))).toEqual([]);
});
