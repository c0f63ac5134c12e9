import { expect, test } from "vitest";
import type { OperationParameter } from "../../../api-registry/contract/operations.ts";
import { rowsOfParameter } from "./parameter-rows.ts";

type Described = Parameters<typeof rowsOfParameter>[0];

const list = ["blue", "black"];
const object = { R: 100, G: 200 };

test.each<[Described["in"], OperationParameter["style"], boolean, unknown, string[]]>([
  ["path", "simple", false, "blue", ["blue"]],
  ["path", "matrix", false, "blue", ["blue"]],
  ["path", "label", false, list, ["blue,black"]],
  ["path", "matrix", true, list, ['["blue","black"]']],
  ["path", "simple", true, object, ['{"R":100,"G":200}']],
  ["header", "simple", false, list, ["blue,black"]],
  ["header", "simple", false, object, ['{"R":100,"G":200}']],
  ["query", "form", true, list, ["blue", "black"]],
  ["query", "form", false, list, ["blue,black"]],
  ["query", "form", false, ["a,b", "c"], ['["a,b","c"]']],
  ["query", "form", false, ["a"], ['["a"]']],
  ["query", "pipeDelimited", false, list, ["blue|black"]],
  ["query", "spaceDelimited", false, list, ["blue black"]],
  ["query", "deepObject", true, object, ['{"R":100,"G":200}']],
  ["cookie", "form", true, 5, ["5"]],
  ["query", "form", true, null, [""]],
])("%s, %s, explode %s: %j is written %j", (place, style, explode, value, written) => {
  const rows = rowsOfParameter({ name: "color", in: place, style, explode }, value);
  expect(rows).toEqual(written.map((text) => ({ name: "color", value: text })));
});

test("a parameter described by a media type is written as JSON, a whole query as its media type has it", () => {
  const parameter = { name: "q", style: "form" as const, explode: true };
  const written = (place: Described["in"], contentMediaType: string, value: unknown) =>
    rowsOfParameter({ ...parameter, in: place, contentMediaType }, value)[0]?.value;
  expect(written("query", "application/json", object)).toBe('{"R":100,"G":200}');
  expect(written("querystring", "application/x-www-form-urlencoded", { a: ["x y", 1], b: "&" })).toBe(
    "a=x+y&a=1&b=%26",
  );
  expect(written("querystring", "application/json", { a: 1 })).toBe("%7B%22a%22%3A1%7D");
});
