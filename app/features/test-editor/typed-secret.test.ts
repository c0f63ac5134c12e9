import { expect, test } from "vitest";
import { getCredentialAddress, hasTypedSecret } from "./typed-secret.ts";

test("a variable is no typed secret, and a text beside it may be one", () => {
  expect(hasTypedSecret("header", "Authorization", "Bearer {{token}}")).toBe(false);
  expect(hasTypedSecret("header", "Cookie", "session={{session}}")).toBe(false);
  expect(hasTypedSecret("header", "Authorization", "Bearer abc{{end}}")).toBe(false);
  expect(hasTypedSecret("header", "Authorization", "Bearer abcdef{{end}}")).toBe(true);
  expect(hasTypedSecret("query", "api_key", "abcdef")).toBe(true);
});

test("the credential offered is of the type that is sent alike, at the host, and its address has no secret", () => {
  const base = "https://api.test:8443/v1";
  const at = "/administration/credentials/create?domain=api.test%3A8443";
  expect(getCredentialAddress("header", "authorization", "Bearer abcdef", base)).toBe(`${at}&type=bearer`);
  expect(getCredentialAddress("header", "Authorization", "basic YTpi", base)).toBe(`${at}&type=basic`);
  expect(getCredentialAddress("header", "Authorization", "abcdef", base)).toBe(
    `${at}&type=apiKey&in=header&parameterName=Authorization`,
  );
  expect(getCredentialAddress("cookie", "sid", "abcdef", "{{base}}")).toBe(
    "/administration/credentials/create?type=apiKey&in=cookie&parameterName=sid",
  );
  expect(getCredentialAddress("form", "password", "abcdef", base)).toBeUndefined();
});
