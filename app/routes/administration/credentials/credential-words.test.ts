import { expect, test } from "vitest";
import { describeCredential } from "./credential-words.ts";

test("each type says how it is sent", () => {
  expect(describeCredential({ type: "basic", settings: { username: "ana" } })).toBe("Basic as ana");
  expect(describeCredential({ type: "bearer", settings: {} })).toBe("Bearer");
  expect(describeCredential({ type: "apiKey", settings: { in: "query", parameterName: "key" } })).toBe(
    "API key in query parameter key",
  );
});
