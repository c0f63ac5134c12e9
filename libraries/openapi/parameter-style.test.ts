import { expect, test } from "vitest";
import { defaultStyles, type Parameter, type Style } from "./parameter.ts";
import { toParameterRows } from "./parameter-rows.ts";
import {
  writeCookieParameter,
  writeHeaderParameter,
  writePathParameter,
  writeQueryParameter,
} from "./parameter-style.ts";
import { readParameterText } from "./parameter-value.ts";

const list = ["blue", "black", "brown"];
const object = { R: 100, G: 200, B: 150 };
const schemas = { string: { type: "string" }, array: { type: "array" }, object: { type: "object" } };

/** Converts a value to a test's rows, reads them back, and serializes it for sending. */
function send(location: "path" | "query" | "header" | "cookie", style: Partial<Style>, value: unknown): string {
  const type = Array.isArray(value) ? "array" : typeof value === "object" && value !== null ? "object" : "string";
  const parameter: Parameter = {
    ...defaultStyles[location],
    ...style,
    name: "color",
    in: location,
    schema: schemas[type],
  };
  const sent = toParameterRows(parameter, value, {}).map((row) => {
    const read = readParameterText(row.value, parameter, {});
    if (location === "path") return writePathParameter(row.name, read, parameter);
    if (location === "query") return writeQueryParameter(row.name, read, parameter).join("&");
    if (location === "cookie") return writeCookieParameter(row.name, read, parameter).join("; ");
    return writeHeaderParameter(read, parameter);
  });
  return sent.join("&");
}

// OpenAPI 3.1.1, "Style Examples", and RFC 6570, which it references for percent-encoding.
test.each<["path" | "query" | "header" | "cookie", Style["style"], boolean, unknown, string]>([
  ["path", "simple", false, "", ""],
  ["path", "simple", false, "blue", "blue"],
  ["path", "simple", false, list, "blue,black,brown"],
  ["path", "simple", false, object, "R,100,G,200,B,150"],
  ["path", "simple", true, "blue", "blue"],
  ["path", "simple", true, list, "blue,black,brown"],
  ["path", "simple", true, object, "R=100,G=200,B=150"],
  ["path", "label", false, "", "."],
  ["path", "label", false, "blue", ".blue"],
  ["path", "label", false, list, ".blue,black,brown"],
  ["path", "label", false, object, ".R,100,G,200,B,150"],
  ["path", "label", true, "blue", ".blue"],
  ["path", "label", true, list, ".blue.black.brown"],
  ["path", "label", true, object, ".R=100.G=200.B=150"],
  ["path", "matrix", false, "blue", ";color=blue"],
  ["path", "matrix", false, list, ";color=blue,black,brown"],
  ["path", "matrix", false, object, ";color=R,100,G,200,B,150"],
  ["path", "matrix", true, "blue", ";color=blue"],
  ["path", "matrix", true, list, ";color=blue;color=black;color=brown"],
  ["path", "matrix", true, object, ";R=100;G=200;B=150"],
  ["query", "form", false, "", "color="],
  ["query", "form", false, "blue", "color=blue"],
  ["query", "form", false, list, "color=blue,black,brown"],
  ["query", "form", false, object, "color=R,100,G,200,B,150"],
  ["query", "form", true, "blue", "color=blue"],
  ["query", "form", true, list, "color=blue&color=black&color=brown"],
  ["query", "form", true, object, "R=100&G=200&B=150"],
  ["query", "spaceDelimited", false, list, "color=blue%20black%20brown"],
  ["query", "spaceDelimited", false, object, "color=R%20100%20G%20200%20B%20150"],
  ["query", "pipeDelimited", false, list, "color=blue%7Cblack%7Cbrown"],
  ["query", "pipeDelimited", false, object, "color=R%7C100%7CG%7C200%7CB%7C150"],
  ["query", "tabDelimited", false, list, "color=blue%09black%09brown"],
  ["query", "deepObject", true, object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  ["query", "deepObject", true, { a: { b: [1, "x"] } }, "color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D=x"],
  ["header", "simple", false, "blue", "blue"],
  ["header", "simple", false, list, "blue,black,brown"],
  ["header", "simple", false, object, "R,100,G,200,B,150"],
  ["header", "simple", true, list, "blue,black,brown"],
  ["header", "simple", true, object, "R=100,G=200,B=150"],
  ["cookie", "form", true, "blue", "color=blue"],
  ["cookie", "form", false, list, "color=blue,black,brown"],
])("%s, style %s, explode %s: %j is sent as %s", (location, style, explode, value, sent) => {
  expect(send(location, { style, explode }, value)).toBe(sent);
});

test("a single item, items with the delimiter and items that look like JSON remain one list", () => {
  expect(send("query", { explode: false }, ["blue"])).toBe("color=blue");
  expect(send("query", { explode: false }, ["a,b", "c"])).toBe("color=a%2Cb,c");
  expect(send("path", {}, ['["x"]', "y"])).toBe("%5B%22x%22%5D,y");
  expect(send("query", {}, [])).toBe("");
});

test("a list of an undocumented type stays a list, a text with commas stays a text", () => {
  const parameter: Parameter = { ...defaultStyles.query, explode: false, name: "q", in: "query" };
  const [row] = toParameterRows(parameter, ["a", "b"], {});
  expect(writeQueryParameter("q", readParameterText(row!.value, parameter, {}), parameter)).toEqual(["q=a,b"]);
  expect(send("query", { explode: false }, "a,b")).toBe("color=a%2Cb");
});

test("reserved characters are preserved where the document allows them, except those that end the value", () => {
  expect(send("query", { allowReserved: true }, "a/b?c&d #%2F")).toBe("color=a/b?c%26d%20%23%2F");
  expect(send("path", {}, "a/b")).toBe("a%2Fb");
});

test("a parameter described by content is sent as its text, whatever it looks like", () => {
  const parameter: Parameter = {
    ...defaultStyles.query,
    name: "filter",
    in: "query",
    contentMediaType: "application/json",
  };
  const [row] = toParameterRows(parameter, { a: [1] }, {});
  expect(row?.value).toBe('{"a":[1]}');
  expect(readParameterText(row!.value, parameter, {})).toEqual({ shape: "primitive", text: '{"a":[1]}' });
});

test("the entire query of a querystring parameter is encoded by its media type", () => {
  const whole = (contentMediaType: string, value: unknown) =>
    toParameterRows({ name: "q", in: "querystring", style: "form", explode: true, contentMediaType }, value, {})[0]
      ?.value;
  expect(whole("application/x-www-form-urlencoded", { a: ["x y", 1], b: "&" })).toBe("a=x+y&a=1&b=%26");
  expect(whole("application/json", { a: 1 })).toBe("%7B%22a%22%3A1%7D");
});

test("a parameter's type is found behind references and combinations, and cycles terminate", () => {
  const components = {
    "#/a": { allOf: [{ $ref: "#/b" }] },
    "#/b": { properties: {} },
    "#/circle": { $ref: "#/circle" },
  };
  const getShape = (schema: unknown, text: string) =>
    readParameterText(text, { ...defaultStyles.query, name: "q", in: "query", schema }, components).shape;
  expect(getShape({ $ref: "#/a" }, '{"x":1}')).toBe("object");
  expect(getShape({ properties: {} }, '{"x":1}')).toBe("object");
  expect(getShape({ type: "string" }, "[1]")).toBe("primitive");
  expect(getShape({ $ref: "#/circle" }, "[1]")).toBe("array");
});

test("a type is found behind combinations that reference the next one eight times at every step", () => {
  const next = (level: number) => Array(8).fill({ $ref: `#/${level + 1}` });
  const components = Object.fromEntries(
    Array.from({ length: 12 }, (_, level) => [`#/${level}`, level < 11 ? { allOf: next(level) } : { type: "object" }]),
  );
  const parameter = { ...defaultStyles.query, name: "q", in: "query" as const, schema: { $ref: "#/0" } };
  expect(readParameterText('{"x":1}', parameter, components).shape).toBe("object");
});
