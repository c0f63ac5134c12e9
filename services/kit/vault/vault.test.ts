import { expect, test } from "vitest";
import { createVault, deriveKey, SealedWithAnotherKey } from "./vault.ts";

const secretsKey = "k".repeat(44);
const context = { organizationId: "0190a8e2-1111-7000-8000-000000000001", record: "credentials/1" };

test("L01: a sealed text opens in its own context", () => {
  const vault = createVault(secretsKey);
  for (const secret of ["s3cret", "", "ключ 🗝", "x".repeat(10_000)]) {
    expect(vault.open(vault.seal(secret, context), context)).toBe(secret);
  }
});

test("L01: a sealed secret contains nothing of the plain one and differs every time", () => {
  const vault = createVault(secretsKey);
  const sealed = Array.from({ length: 200 }, () => vault.seal("correct-horse-battery", context));
  expect(new Set(sealed).size).toBe(200);
  for (const encoding of ["utf8", "base64", "base64url", "hex"] as const) {
    expect(sealed.join()).not.toContain(Buffer.from("correct-horse").toString(encoding));
  }
});

test("L01: a sealed secret does not open in another organization or another record", () => {
  const vault = createVault(secretsKey);
  const sealed = vault.seal("s3cret", context);
  expect(() => vault.open(sealed, { ...context, organizationId: "0190a8e2-1111-7000-8000-000000000002" })).toThrow();
  expect(() => vault.open(sealed, { ...context, record: "credentials/2" })).toThrow();
});

test("L01: characters can't be shifted between organization and record", () => {
  const vault = createVault(secretsKey);
  const sealed = vault.seal("s3cret", { organizationId: "a", record: 'b","c' });
  expect(() => vault.open(sealed, { organizationId: 'a","b', record: "c" })).toThrow();
});

test("L01: a sealed secret with any one character changed does not open", () => {
  const vault = createVault(secretsKey);
  const sealed = vault.seal("s3cret", context);
  for (let index = 0; index < sealed.length; index++) {
    const other = sealed[index] === "A" ? "B" : "A";
    const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
    // The last character of a base64url part may contain unused bits: changing those changes nothing.
    const parts = (text: string) => text.split(".").map((part) => Buffer.from(part, "base64url").toString("hex"));
    if (parts(changed).join() === parts(sealed).join() && !/^v1/.test(sealed.slice(index))) continue;
    expect(() => vault.open(changed, context), `character ${index}`).toThrow();
  }
});

test("L01: a shortened authentication tag is refused", () => {
  const vault = createVault(secretsKey);
  const [version, keyId, nonce, body = ""] = vault.seal("s3cret", context).split(".");
  const bytes = Buffer.from(body, "base64url");
  for (const length of [0, 4, 8, 12, 15]) {
    const short = bytes.subarray(0, length).toString("base64url");
    expect(() => vault.open([version, keyId, nonce, short].join("."), context)).toThrow();
  }
});

test("a secret sealed with another key is refused with a sentence that names the variable", () => {
  const sealed = createVault(secretsKey).seal("s3cret", context);
  expect(() => createVault("l".repeat(44)).open(sealed, context)).toThrow(SealedWithAnotherKey);
  expect(() => createVault("l".repeat(44)).open(sealed, context)).toThrow("sealed with another SECRETS_KEY");
});

test("keys for different purposes differ, and are the same at every start", () => {
  expect(deriveKey(secretsKey, "service tokens")).toEqual(deriveKey(secretsKey, "service tokens"));
  expect(deriveKey(secretsKey, "service tokens")).not.toEqual(deriveKey(secretsKey, "secrets at rest"));
  expect(deriveKey(secretsKey, "service tokens")).toHaveLength(32);
});

test("L01: a new key opens texts sealed with the previous one, and seals texts that the previous one can't open", () => {
  const before = createVault(secretsKey);
  const after = createVault("n".repeat(44), [secretsKey]);
  const old = before.seal("s3cret", context);
  expect(after.open(old, context)).toBe("s3cret");
  expect([after.isCurrent(old), after.isCurrent(after.seal("s3cret", context))]).toEqual([false, true]);
  expect(() => before.open(after.seal("s3cret", context), context)).toThrow(SealedWithAnotherKey);
  expect(() => createVault("n".repeat(44)).open(old, context)).toThrow(SealedWithAnotherKey);
});
