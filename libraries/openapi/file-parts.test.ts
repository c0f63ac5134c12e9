import { expect, test } from "vitest";
import { listFileParts } from "./file-parts.ts";

const file = { type: "string", format: "binary" };
const components = { "#/components/schemas/Photo": { properties: { photo: file, note: { type: "string" } } } };

test("files of a multipart body are found by schema, through references and lists, with their media types", () => {
  const schema = {
    allOf: [
      { $ref: "#/components/schemas/Photo" },
      { required: ["photo"], properties: { pages: { type: "array", items: file }, secret: file } },
    ],
  };
  const encoding = { photo: { contentType: "image/jpeg, image/png" } };
  expect(listFileParts({ mediaType: "multipart/form-data", schema, encoding }, { components })).toEqual([
    { name: "photo", required: true, many: false, mediaType: "image/jpeg" },
    { name: "pages", required: false, many: true },
    { name: "secret", required: false, many: false },
  ]);
});

test("a file is optional where only an alternative requires it, and other bodies have no parts", () => {
  const schema = { oneOf: [{ properties: { photo: file }, required: ["photo"] }, { properties: { link: {} } }] };
  const context = { specificationVersion: "3.0.3" };
  expect(listFileParts({ mediaType: "multipart/form-data", schema }, context)).toEqual([
    { name: "photo", required: false, many: false },
  ]);
  expect(listFileParts({ mediaType: "application/json", schema }, context)).toEqual([]);
});
