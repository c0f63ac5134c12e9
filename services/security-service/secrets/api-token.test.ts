import { expect, test } from "vitest";
import { createApiTokenSecret, hashApiToken, isWellFormed } from "./api-token.ts";

test("a token has a prefix and a length that scanners can look for, and a valid checksum", () => {
  const { token, hash } = createApiTokenSecret();
  expect(token).toMatch(/^aap_[0-9A-Za-z]{46}$/);
  expect(hash).toBe(hashApiToken(token));
  expect(isWellFormed(token)).toBe(true);
  expect(createApiTokenSecret().token).not.toBe(token);
});

test("a token with one character changed, removed or added is invalid", () => {
  const { token } = createApiTokenSecret();
  const changed = token.slice(0, 10) + (token[10] === "a" ? "b" : "a") + token.slice(11);
  for (const other of [changed, token.slice(0, -1), `${token}0`, token.slice(4), ""]) {
    expect(isWellFormed(other)).toBe(false);
  }
});
