import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { identifierList } from "#contracts/kit/identifier-list.ts";

const read = (text: string) => {
  const result = identifierList.safeParse(text);
  return result.success ? result.data : result.error.issues.map(({ message }) => message);
};

test("identifiers separated by commas are parsed, without duplicates", () => {
  const [one, two] = [uuidv7(), uuidv7()];
  expect(read(`${one},${two},${one},`)).toEqual([one, two]);
  expect(read("")).toEqual([]);
});

test("invalid identifiers, and too many at once, are reported", () => {
  expect(read(`${uuidv7()},x`)).toEqual(["Enter identifiers, separated by commas"]);
  expect(read(Array.from({ length: 201 }, uuidv7).join(","))).toEqual(["Enter at most 200 identifiers"]);
});
