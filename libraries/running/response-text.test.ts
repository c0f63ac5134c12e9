import { expect, test } from "vitest";
import { decodeBody } from "../judging/body-text.ts";
import { cutBody, previewBody } from "./response-text.ts";

test("a body is never cut within a character of UTF-8", () => {
  const text = "aü€😀";
  const bytes = Buffer.from(text);
  for (let length = 0; length <= bytes.length; length += 1) {
    const cut = Buffer.from(cutBody(bytes, length));
    expect(cut.length).toBeLessThanOrEqual(length);
    expect(text.startsWith(cut.toString())).toBe(true);
  }
});

test("text is decoded by its charset, unknown ones as UTF-8", () => {
  expect(decodeBody(Buffer.from("ü", "latin1"), "text/plain; charset=iso-8859-1")).toBe("ü");
  expect(decodeBody(Buffer.from("ü"), 'application/problem+json; charset="nonsense"')).toBe("ü");
});

test("a body without content type is text when it is readable as text", () => {
  expect(decodeBody(Buffer.from('{"a":1}'), undefined)).toBe('{"a":1}');
  expect(decodeBody(Buffer.from([0xff, 0xfe, 0, 1]), "application/octet-stream")).toBeNull();
  expect(decodeBody(Buffer.from([1, 2, 3]), undefined)).toBeNull();
});

test("an image is not text, an SVG is", () => {
  expect(decodeBody(Buffer.from("GIF89a"), "image/gif")).toBeNull();
  expect(decodeBody(Buffer.from("<svg/>"), "image/svg+xml")).toBe("<svg/>");
});

test("a body of control characters is binary whatever its type says, one with a few of them is not", () => {
  expect(decodeBody(Buffer.alloc(1_000), "text/plain")).toBeNull();
  expect(decodeBody(Buffer.alloc(1_000, 0x1b), "application/json")).toBeNull();
  expect(decodeBody(Buffer.alloc(1_000, 0xff), "text/plain")).toBeNull();
  expect(decodeBody(Buffer.from(`${"a line\r\n".repeat(10)}\0`), "text/plain")).toMatch(/\0$/);
  expect(decodeBody(Buffer.from("\0\x01"), "text/plain")).toBe("\0\x01");
  expect(decodeBody(Buffer.from("text", "utf16le"), "text/plain; charset=utf-16le")).toBe("text");
});

test("for any bytes declared as text, the stored form is little more than twice as long", () => {
  for (let byte = 0; byte < 256; byte += 1) {
    for (const other of [0x61, 0x00, 0x22, 0xff]) {
      const body = Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at % 2 === 0 ? byte : other)));
      const stored = { body: decodeBody(body, "text/plain"), preview: previewBody(body) };
      expect(Buffer.byteLength(JSON.stringify(stored)), `${byte} and ${other}`).toBeLessThan(2.6 * body.length);
    }
  }
});

test("a binary body is stored by its first bytes", () => {
  expect(previewBody(Buffer.from("GIF89a"))).toBe("47 49 46 38 39 61");
  expect(previewBody(Buffer.alloc(1_000)).split("\n")).toHaveLength(16);
});
