import { verify } from "@node-rs/argon2";
import { expect, test, vi } from "vitest";
import { createPasswords, generatePassword } from "./passwords.ts";

test("a password matches its own hash only, and the hash names Argon2id with OWASP's parameters", async () => {
  const passwords = await createPasswords();
  const stored = await passwords.hash("correct horse");
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.matches(stored, "correct horse")).toBe(true);
  expect(await passwords.matches(stored, "Correct horse")).toBe(false);
});

test("without a stored hash nothing matches, not even the empty password", async () => {
  const passwords = await createPasswords();
  expect(await passwords.matches(undefined, "")).toBe(false);
});

test("A05: an account that does not exist costs the check of a hash like any other", async () => {
  const checked = vi.fn(verify);
  const passwords = await createPasswords(checked);
  const stored = await passwords.hash("something");
  await passwords.matches(stored, "guess");
  await passwords.matches(undefined, "guess");
  const costs = checked.mock.calls.map(([hash]) => String(hash).split("$").slice(1, 4));
  expect(costs).toEqual([costs[0], costs[0]]);
  expect(costs[0]).toEqual(["argon2id", "v=19", "m=19456,t=2,p=1"]);
});

test("generated passwords are four groups of six and never the same", () => {
  const made = Array.from({ length: 200 }, generatePassword);
  expect(new Set(made).size).toBe(200);
  for (const password of made) expect(password).toMatch(/^[a-z2-9A-D]{6}(-[a-z2-9A-D]{6}){3}$/);
});
