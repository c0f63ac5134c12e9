import { expect, test } from "vitest";
import { createMailedCodes, createMailedToken, hashMailedToken } from "./mailed-secrets.ts";

test("T06: a token carries 256 bits and is found only by its hash", () => {
  const { token, hash } = createMailedToken();
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  expect(hashMailedToken(token)).toBe(hash);
  expect(hash).not.toContain(token);
});

test("codes have six digits, including leading zeros", () => {
  const codes = createMailedCodes("a key");
  const made = Array.from({ length: 5_000 }, () => codes.create());
  expect(made.every((code) => /^\d{6}$/.test(code))).toBe(true);
  expect(made.some((code) => code.startsWith("0"))).toBe(true);
  expect(new Set(made).size).toBeGreaterThan(4_900);
});

test("a code's hash depends on the link and on the installation's key", () => {
  const hashes = [
    createMailedCodes("a key").hash("one", "123456"),
    createMailedCodes("a key").hash("two", "123456"),
    createMailedCodes("another key").hash("one", "123456"),
  ];
  expect(new Set(hashes).size).toBe(3);
  expect(createMailedCodes("a key").hash("one", "123456")).toBe(hashes[0]);
});
