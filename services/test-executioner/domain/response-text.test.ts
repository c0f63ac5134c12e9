import { expect, test } from "vitest";
import { decodeBody } from "./response-text.ts";

test("text is decoded by its charset, unknown ones as UTF-8", () => {
  expect(decodeBody(Buffer.from("ü", "latin1"), "text/plain; charset=iso-8859-1")).toBe("ü");
  expect(decodeBody(Buffer.from("ü"), 'application/problem+json; charset="nonsense"')).toBe("ü");
});

test("a body without content type is text when it reads as text", () => {
  expect(decodeBody(Buffer.from('{"a":1}'), undefined)).toBe('{"a":1}');
  expect(decodeBody(Buffer.from([0xff, 0xfe, 0, 1]), "application/octet-stream")).toBeNull();
  expect(decodeBody(Buffer.from([1, 2, 3]), undefined)).toBeNull();
});

test("an image is not text, an SVG is", () => {
  expect(decodeBody(Buffer.from("GIF89a"), "image/gif")).toBeNull();
  expect(decodeBody(Buffer.from("<svg/>"), "image/svg+xml")).toBe("<svg/>");
});
