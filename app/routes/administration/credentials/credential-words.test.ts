import { expect, test } from "vitest";
import { describeCredential, storedToast } from "./credential-words.ts";

test("each type says how it is sent", () => {
  expect(describeCredential({ type: "basic", settings: { username: "ana" } })).toBe("Basic as ana");
  expect(describeCredential({ type: "bearer", settings: {} })).toBe("Bearer");
  expect(describeCredential({ type: "apiKey", settings: { in: "query", parameterName: "key" } })).toBe(
    "API key in query parameter key",
  );
});

test("a secret of few characters is stored with a warning", () => {
  expect(storedToast("Shop is stored.", "12345678")).toEqual({ message: "Shop is stored.", variant: "success" });
  expect(storedToast("Shop is saved.", undefined).variant).toBe("success");
  const short = storedToast("Shop is stored.", "1234567");
  expect(short.variant).toBe("warning");
  expect(short.message).toMatch(/^Shop is stored\. Its secret has fewer than 8 characters/);
});
