import { expect, test } from "vitest";
import { describeCredential, domainPath } from "./credential-words.ts";

test("each type says how it is sent", () => {
  expect(describeCredential({ type: "basic", settings: { username: "ana" } })).toBe("Basic as ana");
  expect(describeCredential({ type: "bearer", settings: {} })).toBe("Bearer");
  expect(describeCredential({ type: "apiKey", settings: { in: "query", parameterName: "key" } })).toBe(
    "API key in query parameter key",
  );
});

test("the page of a host with a port, a wildcard or an IPv6 address is one path segment", () => {
  expect(domainPath("127.0.0.1:8080")).toBe("/administration/credentials/domain/127.0.0.1%3A8080");
  expect(domainPath("*.example.com")).toBe("/administration/credentials/domain/*.example.com");
  expect(domainPath("[::1]:80")).toBe("/administration/credentials/domain/%5B%3A%3A1%5D%3A80");
});
