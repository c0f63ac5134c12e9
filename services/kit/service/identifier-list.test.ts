import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { identifierList } from "#contracts/kit/identifier-list.ts";

const read = (text: string) => {
  const result = identifierList.safeParse(text);
  return result.success ? result.data : result.error.issues.map(({ message }) => message);
};

test("identifiers separated by commas are read, each once", () => {
  const [one, two] = [uuidv7(), uuidv7()];
  expect(read(`${one},${two},${one},`)).toEqual([one, two]);
  expect(read("")).toEqual([]);
});

test("what is no identifier, and more of them than are looked for at once, are told", () => {
  expect(read(`${uuidv7()},x`)).toEqual(["Give identifiers, separated by commas"]);
  expect(read(Array.from({ length: 201 }, uuidv7).join(","))).toEqual(["Give at most 200 identifiers"]);
});
