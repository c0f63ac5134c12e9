import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { type FoldedJson, type FoldLimits, foldJson } from "./fold-json";
import { type JsonNode, readJsonText, readJsonValue } from "./json-node";
import { childPointer, nearestPointer, pointersTo } from "./json-pointer";
import { JsonView } from "./json-view";

const limits: FoldLimits = { openLevels: 2, childLimit: 100, valueLimit: 1000, stringLimit: 20 };
const read = (value: unknown) => readJsonValue(value) as JsonNode;
const at = (json: FoldedJson, pointer: string): FoldedJson | undefined =>
  json.pointer === pointer
    ? json
    : json.children.map((child) => at(child, pointer)).find((found) => found !== undefined);

test("numbers keep their original digits", () => {
  const markup = renderToStaticMarkup(
    <JsonView id="body" label="Body" text='{"id":12345678901234567890,"price":1.50,"e":1E2}' />,
  );
  for (const digits of ["12345678901234567890", "1.50", "1E2"]) expect(markup).toContain(`>${digits}</span>`);
});

test("names are escaped in pointers by RFC 6901", () => {
  expect(childPointer("/paths", "/pets/{id}~1")).toBe("/paths/~1pets~1{id}~01");
  expect(childPointer("", "")).toBe("/");
});

test("every value can be linked to by its pointer", () => {
  const markup = renderToStaticMarkup(<JsonView id="body" label="Body" value={{ items: [{ "a/b": 1 }] }} />);
  expect(markup).toContain('id="body/items/0/a~1b" data-pointer="/items/0/a~1b"');
});

test("the root value has the view's id, once", () => {
  const markup = renderToStaticMarkup(<JsonView id="body" label="Body" value={{ name: "Ann" }} />);
  expect(markup.match(/id="[^"]*"/g)).toEqual(['id="body"', 'id="body/name"']);
});

test("a pointer without a target marks the parent of the missing value", () => {
  const root = read({ owner: { name: "Ann" }, list: [1] });
  expect(nearestPointer(root, "/owner/age/years")).toBe("/owner");
  expect(nearestPointer(root, "/list/01")).toBe("/list");
  expect(nearestPointer(root, "/toString")).toBe("");
});

test("the ancestors of a pointer start at the root", () => {
  expect(pointersTo("/a/0")).toEqual(["", "/a", "/a/0"]);
  expect(pointersTo("")).toEqual([""]);
});

test("levels beyond the open ones start closed", () => {
  const folded = foldJson(read({ a: { b: { c: 1 } } }), [], limits);
  expect([at(folded, "")?.open, at(folded, "/a")?.open, at(folded, "/a/b")?.open]).toEqual([true, true, false]);
});

test("highlighted values are displayed and open, however deep and however far down a list", () => {
  const list = Array.from({ length: 5000 }, (_, index) => ({ deep: { value: index } }));
  const pointer = "/list/4321/deep/value";
  const folded = foldJson(read({ list }), [{ pointer, tone: "danger" }], limits);
  expect(at(folded, pointer)?.highlights).toHaveLength(1);
  for (const step of pointersTo(pointer)) expect(at(folded, step)?.open, step).toBe(true);
  expect(at(folded, "/list")).toMatchObject({ size: 5000, hidden: 4899 });
});

test("the number of displayed values is limited whatever the shape", () => {
  const wide = read(Array.from({ length: 90 }, () => Array.from({ length: 90 }, () => 1)));
  const count = (json: FoldedJson): number => 1 + json.children.reduce((sum, child) => sum + count(child), 0);
  expect(count(foldJson(wide, [], limits))).toBeLessThanOrEqual(limits.valueLimit + 1);
});

test("a long string is cut between characters and has its length displayed", () => {
  const folded = foldJson(read(`${"x".repeat(19)}😀${"y".repeat(50)}`), [], limits);
  expect(folded).toMatchObject({ text: `"${"x".repeat(19)}…"`, fullLength: 71 });
});

test("of a repeated name the last is the pointer's target, and both are displayed", () => {
  const markup = renderToStaticMarkup(<JsonView id="body" label="Body" text='{"a":1,"a":2}' />);
  expect(markup.match(/data-pointer="\/a"/g)).toHaveLength(1);
  expect(markup.indexOf(">1<")).toBeLessThan(markup.indexOf('data-pointer="/a"'));
});

test.each(['{"a":1', "[1,]", "// no\n1", "", "<html>", `${"[".repeat(100_000)}`])(
  "%.12s is displayed as plain text",
  (text) => {
    expect(readJsonText(text)).toBeUndefined();
    expect(renderToStaticMarkup(<JsonView id="body" label="Body" text={text} />)).toContain("<pre");
  },
);

test("brackets inside strings do not count as depth", () => {
  expect(readJsonText(JSON.stringify(`"${"[".repeat(1000)}\\`))).toMatchObject({ kind: "string" });
});

test("text in JSON is never markup", () => {
  const markup = renderToStaticMarkup(
    <JsonView id="body" label="Body" value={{ "<b>": "</span><script>alert(1)</script>" }} />,
  );
  expect(markup).not.toMatch(/<script|<b>/);
});

test("names of the object prototype are values like any other", () => {
  const markup = renderToStaticMarkup(<JsonView id="body" label="Body" text='{"__proto__":{"x":1},"constructor":2}' />);
  expect(markup).toContain('data-pointer="/__proto__/x"');
  expect(markup).toContain('data-pointer="/constructor"');
});
