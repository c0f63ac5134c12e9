import { expect, test } from "vitest";
import { preferredContent, sampleBody } from "./sample-body.ts";

const form = "application/x-www-form-urlencoded";
const getFields = (sample: unknown, encoding?: unknown) => {
  const body = sampleBody({ mediaType: form, sample, encoding });
  return body.kind === "form" && body.fields.map(({ name, value }) => `${name}=${value}`);
};

test("JSON precedes forms, forms precede text, and the first of equals is chosen", () => {
  const chosen = (...mediaTypes: string[]) =>
    preferredContent(mediaTypes.map((mediaType) => ({ mediaType })))?.mediaType;
  expect(chosen("text/plain", form, "application/hal+json", "application/json")).toBe("application/json");
  expect(chosen("application/xml", "multipart/form-data", form)).toBe(form);
  expect(chosen("application/xml", "text/csv", "text/plain")).toBe("text/csv");
  expect(chosen()).toBeUndefined();
});

test("form fields are written as the encoding defines", () => {
  expect(getFields({ a: "x", list: [1, 2], address: { city: "B" } })).toEqual([
    "a=x",
    "list=1",
    "list=2",
    'address={"city":"B"}',
  ]);
  const sample = { address: { city: "B", lines: ["1", "2"] }, list: [1, 2] };
  const deep = { address: { style: "deepObject", explode: true }, list: { style: "form", explode: false } };
  expect(getFields(sample, deep)).toEqual([
    "address[city]=B",
    "address[lines][0]=1",
    "address[lines][1]=2",
    "list=1,2",
  ]);
  expect(getFields({ color: { R: 1, G: 2 } }, { color: { style: "form" } })).toEqual(["R=1", "G=2"]);
});

test("each item of a list is a separate part, files included", () => {
  const schema = {
    properties: { photos: { type: "array", items: { type: "string", format: "binary" } }, tags: { type: "array" } },
  };
  const body = sampleBody({
    mediaType: "multipart/form-data",
    schema,
    sample: { photos: ["x", "y"], tags: ["a", "b"] },
  });
  expect(body).toMatchObject({
    kind: "multipart",
    fields: [
      { name: "photos", value: "x", file: true },
      { name: "photos", value: "y", file: true },
      { name: "tags", value: "a", file: false },
      { name: "tags", value: "b", file: false },
    ],
  });
});

test("a wildcard is sent as JSON, a text sample as text", () => {
  expect(sampleBody({ mediaType: "*/*", sample: { a: 1 } })).toEqual({
    kind: "json",
    mediaType: "application/json",
    value: { a: 1 },
  });
  expect(sampleBody({ mediaType: "*/*", sample: "a" })).toEqual({ kind: "text", mediaType: "text/plain", text: "a" });
});

test("a JSON patch is a list, even when its schema says nothing", () => {
  const getBody = (sample: unknown) => sampleBody({ mediaType: "application/json-patch+json", sample });
  expect(getBody({})).toMatchObject({ kind: "json", value: [] });
  const step = { op: "remove", path: "/a" };
  expect(getBody(step)).toMatchObject({ value: [step] });
  expect(getBody([step])).toMatchObject({ value: [step] });
  expect(sampleBody({ mediaType: "application/merge-patch+json", sample: {} })).toMatchObject({ value: {} });
});
