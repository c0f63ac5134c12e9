import { expect, test } from "vitest";
import { isSecretHeader, isSecretName, listSecrets, type NamedPart } from "./secret-signs.ts";

const secretsIn = (part: NamedPart, name: string, value: string) =>
  listSecrets(part, name, value).map(({ secret }) => secret);

test("names of secrets are known in every spelling", () => {
  const names =
    "Authorization Proxy-Authorization X-Api-Key api-key api_key apiKey APIKEY x-apikey token X-Auth-Token authToken access_token accesstoken accessToken refresh_token id_token PRIVATE-TOKEN X-Vault-Token X-CSRF-Token password Password newPassword password2 user_password passwd pwd passphrase secret client_secret clientSecret secretKey aws_secret_access_key X-Amz-Security-Token X-Amz-Signature sig Ocp-Apim-Subscription-Key x-functions-key private_key DD-APPLICATION-KEY session_id sessionId JSESSIONID PHPSESSID jwt";
  expect(names.split(" ").filter((name) => !isSecretName(name))).toEqual([]);
});

test("names that only resemble those of secrets are none", () => {
  const names =
    "X-Request-Id monkey key keyword Idempotency-Key Surrogate-Key sort_key primaryKey public_key partition_key author authority page_token nextPageToken max_tokens tokens token_type tokenize passport passenger password_policy bypass compass secretary token_endpoint X-Forwarded-For If-None-Match Accept signature_type sidebar side author_id user_id session session_name";
  expect(names.split(" ").filter(isSecretName)).toEqual([]);
});

test("a scheme leaves only what follows it secret, and a Basic pair its password too", () => {
  const pair = Buffer.from("ana:hunter22").toString("base64");
  expect(secretsIn("header", "Authorization", "Bearer abc.def")).toEqual(["abc.def"]);
  expect(secretsIn("header", "authorization", "abcdef")).toEqual(["abcdef"]);
  expect(secretsIn("header", "Authorization", "Custom abcdef==")).toEqual(["abcdef=="]);
  expect(secretsIn("header", "Proxy-Authorization", `Basic ${pair}`)).toEqual([pair, "hunter22"]);
  expect(secretsIn("header", "X-Upstream", `basic ${pair}`)).toEqual([pair, "hunter22"]);
  expect(secretsIn("header", "X-Upstream", "Bearer mF_9.B5f-4.1JqM")).toEqual(["mF_9.B5f-4.1JqM"]);
  expect(
    secretsIn("header", "Authorization", 'Digest username="ana", realm="all", uri="/pets", response="6629fae4"'),
  ).toEqual(["6629fae4"]);
  expect(secretsIn("header", "Authorization", 'Token token="abc123", nonce="9"')).toEqual(["abc123"]);
});

test("a token is known by its look under any name", () => {
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
  for (const part of ["header", "query", "form", "json"] as const) {
    expect(secretsIn(part, "x-of", `a ${jwt}, b`)).toEqual([jwt]);
  }
});

test("each cookie is a secret, a short one only together with its name", () => {
  expect(secretsIn("header", "Cookie", "theme=dark; sid=a1b2; id=0123456789")).toEqual([
    "theme=dark",
    "a1b2",
    "0123456789",
  ]);
});

test("a parameter key is a secret, a member key only where it looks like one", () => {
  expect(secretsIn("query", "key", "color")).toEqual(["color"]);
  expect(secretsIn("json", "key", "color")).toEqual([]);
  expect(secretsIn("json", "key", "AIzaSyA1b2C3d4E5")).toEqual(["AIzaSyA1b2C3d4E5"]);
});

test("ordinary values, fillers of the sampler and values of a few characters are none", () => {
  const ordinary: [NamedPart, string, string][] = [
    ["header", "X-Request-Id", "3f1c5a9e-8a0b-4c4e-9d5e-6f7a8b9c0d1e"],
    ["header", "X-Plan", "Basic plan"],
    ["query", "monkey", "banana-banana"],
    ["json", "title", "Bearer bonds"],
    ["json", "title", "Basic authentication"],
    ["json", "password", "string"],
    ["json", "password", "stringstri"],
    ["form", "password", "abc"],
    ["query", "token", "true"],
    ["header", "Authorization", "Bearer "],
  ];
  expect(ordinary.filter(([part, name, value]) => secretsIn(part, name, value).length > 0)).toEqual([]);
  expect(isSecretHeader("X-Request-Id", "3f1c5a9e8a0b4c4e")).toBe(false);
  expect(isSecretHeader("Cookie", "a=1")).toBe(true);
});
