import fc from "fast-check";
import { expect, test } from "vitest";
import type { TemplateMediaType } from "#contracts/test-analyzer/template-values.ts";
import { checkTemplate, writeTemplate } from "./body-template.ts";

const json = (body: string) => ({ body, mediaType: "application/json" as const });

test("no value changes the structure of a JSON body, within quotes and without", () => {
  const template = json('{"a \\" {{x}}": ["{{x}}-{{y}}", {{x}}, {{y}}, {{z}}, "{{z}}"]}');
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer(), (x, y) => {
      const read = JSON.parse(writeTemplate(template, { x, y, z: null }));
      expect(read).toEqual({ [`a " ${x}`]: [`${x}-${y}`, x, y, null, ""] });
    }),
  );
});

test("values are encoded for form bodies and XML", () => {
  const values = { x: 'a&b=<c d="1">', n: 2 };
  const write = (body: string, mediaType: TemplateMediaType) => writeTemplate({ body, mediaType }, values);
  const form = new URLSearchParams(write("text={{x}}&n={{ n }}", "application/x-www-form-urlencoded"));
  expect([...form]).toEqual([
    ["text", values.x],
    ["n", "2"],
  ]);
  expect(write("<a>{{x}}</a>", "application/xml")).toBe("<a>a&amp;b=&lt;c d=&quot;1&quot;&gt;</a>");
  expect(write("{{x}} {{n}}", "text/plain")).toBe(`${values.x} 2`);
});

test("a template with an unknown name, or that is no JSON, is refused in words", () => {
  expect(checkTemplate(json('{"a": {{x}}}'), ["x"])).toBeUndefined();
  expect(checkTemplate(json('{"a": {{y}}}'), ["x"])).toBe("There is no value named y");
  expect(checkTemplate(json('{"a": {{x}}'), ["x"])).toMatch(/^With values it is not JSON: /);
  expect(checkTemplate(json('{"a": {{x y}}}'), ["x"])).toMatch(/^With values it is not JSON: /);
  expect(checkTemplate({ body: "a {{x", mediaType: "text/plain" }, ["x"])).toBe(
    "After {{ comes the name of a value, then }}",
  );
});
