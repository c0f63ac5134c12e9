import { expect, test } from "vitest";
import type { OperationParameter } from "../../../api-registry/contract/operations.ts";
import { serializeParameter } from "./serialize-parameter.ts";

type Style = Parameters<typeof serializeParameter>[0];

function write(place: Style["in"], style: OperationParameter["style"], explode: boolean, value: unknown): string {
  const rows = serializeParameter({ name: "color", in: place, style, explode }, value);
  return rows.map((row) => (place === "path" || place === "header" ? row.value : `${row.name}=${row.value}`)).join("&");
}

const list = ["blue", "black"];
const object = { R: 100, G: 200 };

/** The table of style examples in OpenAPI 3.1, Parameter Object; percent-encoding is the runner's. */
test.each<[Style["in"], OperationParameter["style"], boolean, unknown, string]>([
  ["path", "matrix", false, "blue", ";color=blue"],
  ["path", "matrix", false, list, ";color=blue,black"],
  ["path", "matrix", true, list, ";color=blue;color=black"],
  ["path", "matrix", false, object, ";color=R,100,G,200"],
  ["path", "matrix", true, object, ";R=100;G=200"],
  ["path", "label", false, "blue", ".blue"],
  ["path", "label", false, list, ".blue,black"],
  ["path", "label", true, list, ".blue.black"],
  ["path", "label", false, object, ".R,100,G,200"],
  ["path", "label", true, object, ".R=100.G=200"],
  ["path", "simple", false, list, "blue,black"],
  ["path", "simple", true, object, "R=100,G=200"],
  ["header", "simple", false, object, "R,100,G,200"],
  ["header", "simple", true, list, "blue,black"],
  ["query", "form", false, list, "color=blue,black"],
  ["query", "form", true, list, "color=blue&color=black"],
  ["query", "form", false, object, "color=R,100,G,200"],
  ["query", "form", true, object, "R=100&G=200"],
  ["query", "spaceDelimited", false, list, "color=blue black"],
  ["query", "pipeDelimited", false, object, "color=R,100|G,200"],
  ["query", "deepObject", true, object, "color[R]=100&color[G]=200"],
  ["cookie", "form", false, "blue", "color=blue"],
  ["querystring", "form", true, object, "R=100&G=200"],
])("%s, %s, explode %s: %j", (place, style, explode, value, written) => {
  expect(write(place, style, explode, value)).toBe(written);
});

test("a parameter described by a media type is written as JSON", () => {
  const parameter = {
    name: "q",
    in: "query" as const,
    style: "form" as const,
    explode: true,
    contentMediaType: "application/json",
  };
  expect(serializeParameter(parameter, object)).toEqual([{ name: "q", value: '{"R":100,"G":200}' }]);
});
