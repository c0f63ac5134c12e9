import fc from "fast-check";
import { expect, test } from "vitest";
import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { Credential } from "#contracts/security-service/credentials.ts";
import { answersScheme, fillCredential, isAnsweredByHand } from "./answering-credential.ts";
import { describeAlternatives, describeWanted } from "./scheme-words.ts";
import { listUnanswered } from "./unanswered-schemes.ts";

const key: SecurityScheme = { name: "key", type: "apiKey", in: "header", parameterName: "X-API-Key" };
const queryKey: SecurityScheme = { name: "queryKey", type: "apiKey", in: "query", parameterName: "app id" };
const session: SecurityScheme = { name: "session", type: "apiKey", in: "cookie", parameterName: "sid" };
const inAuthorization: SecurityScheme = { name: "raw", type: "apiKey", in: "header", parameterName: "authorization" };
const basic: SecurityScheme = { name: "basic", type: "http", scheme: "basic" };
const digest: SecurityScheme = { name: "digest", type: "http", scheme: "digest" };
const bearer: SecurityScheme = { name: "bearer", type: "http", scheme: "bearer", bearerFormat: "JWT" };
const hoba: SecurityScheme = { name: "hoba", type: "http", scheme: "hoba" };
const tokenUrl = "https://login.example.com/token";
const oauth2: SecurityScheme = {
  name: "oauth2",
  type: "oauth2",
  flows: { clientCredentials: { tokenUrl, scopes: {} } },
};
const implicit: SecurityScheme = { name: "implicit", type: "oauth2", flows: { implicit: {} } };
const oidc: SecurityScheme = { name: "oidc", type: "openIdConnect", openIdConnectUrl: "https://login.example.com" };
const tls: SecurityScheme = { name: "tls", type: "mutualTLS" };
const schemes = [key, queryKey, session, inAuthorization, basic, digest, bearer, hoba, oauth2, implicit, oidc, tls];

test.each<[string[][], string[], string[][]]>([
  [[], [], []],
  [[[]], [], []],
  [[["key"]], [], [["key"]]],
  [[["key"]], ["key"], []],
  [[["key"], []], [], []],
  [[["key", "device"]], ["key"], [["device"]]],
  [[["key"], ["login"]], ["login"], []],
  [[["key"], ["login"]], [], [["key"], ["login"]]],
  [[["key", "device"], ["login"]], ["key"], [["device"], ["login"]]],
  [
    [
      ["key", "device"],
      ["device", "key"],
      ["key", "key", "device"],
    ],
    [],
    [["key", "device"]],
  ],
])("of %j, with %j answered, %j is unanswered", (alternatives, answered, expected) => {
  expect(listUnanswered(alternatives, (name) => answered.includes(name))).toHaveLength(expected.length);
  expect(listUnanswered(alternatives, (name) => answered.includes(name))).toEqual(expected);
});

test("once each scheme of what is unanswered of one alternative is answered, nothing is unanswered any more", () => {
  const names = fc.constantFrom<string>("a", "b", "c", "d");
  const requirement = fc.array(fc.array(names, { maxLength: 4 }), { maxLength: 5 });
  fc.assert(
    fc.property(requirement, fc.uniqueArray(names), fc.nat(), (alternatives, answered, index) => {
      const lacking = listUnanswered(alternatives, (name) => answered.includes(name));
      for (const alternative of lacking) expect(alternative.some((name) => answered.includes(name))).toBe(false);
      if (lacking.length === 0) return;
      const more = [...answered, ...lacking[index % lacking.length]!];
      expect(listUnanswered(alternatives, (name) => more.includes(name))).toEqual([]);
    }),
  );
});

test("every kind of scheme has words", () => {
  expect(schemes.map(describeWanted)).toEqual([
    "an API key in X-API-Key",
    "an API key in the query parameter app id",
    "an API key in the cookie sid",
    "an API key in authorization",
    "a user name and password (HTTP Basic)",
    "a user name and password (HTTP Digest)",
    "a bearer token (JWT)",
    "HTTP authentication with the scheme hoba",
    "an OAuth 2 access token (client credentials)",
    "an OAuth 2 access token",
    "an OpenID Connect access token",
    "a client certificate (mutual TLS)",
  ]);
  expect(describeAlternatives([["key", "tls"], ["bearer"]], schemes)).toBe(
    "an API key in X-API-Key and a client certificate (mutual TLS), or a bearer token (JWT)",
  );
  expect(describeAlternatives([["key"], ["bearer"], ["unknown"]], schemes)).toBe(
    "an API key in X-API-Key, a bearer token (JWT), or the security scheme unknown",
  );
});

test("every type of credential that a scheme offers answers it, filled in as the scheme says", () => {
  for (const scheme of schemes) {
    const { types, settings } = fillCredential(scheme);
    for (const type of types)
      expect([scheme.name, type, answersScheme({ type, settings }, scheme)]).toEqual([scheme.name, type, true]);
  }
  expect(fillCredential(key)).toEqual({ types: ["apiKey"], settings: { in: "header", parameterName: "X-API-Key" } });
  expect(fillCredential(oauth2).settings).toEqual({ tokenUrl });
});

test.each<[Pick<Credential, "type" | "settings">, SecurityScheme, boolean]>([
  [{ type: "apiKey", settings: { in: "header", parameterName: "x-api-key" } }, key, true],
  [{ type: "apiKey", settings: { in: "header", parameterName: "X-Other" } }, key, false],
  [{ type: "apiKey", settings: { in: "query", parameterName: "X-API-Key" } }, key, false],
  [{ type: "apiKey", settings: { in: "cookie", parameterName: "SID" } }, session, false],
  [{ type: "bearer", settings: {} }, key, false],
  [{ type: "bearer", settings: {} }, inAuthorization, true],
  [{ type: "apiKey", settings: { in: "header", parameterName: "Authorization" } }, bearer, true],
  [{ type: "basic", settings: { username: "ana" } }, bearer, false],
  [{ type: "basic", settings: { username: "ana" } }, basic, true],
  [{ type: "basic", settings: { username: "ana" } }, digest, false],
  [{ type: "oauth2ClientCredentials", settings: {} }, bearer, true],
  [{ type: "mutualTls", settings: {} }, tls, true],
  [{ type: "mutualTls", settings: {} }, key, false],
  [{ type: "awsSignatureV4", settings: {} }, inAuthorization, true],
  [{ type: "awsSignatureV4", settings: {} }, bearer, false],
])("the credential %j and the scheme %j: %s", (credential, scheme, expected) => {
  expect(answersScheme(credential, scheme)).toBe(expected);
});

const nothing = { headers: [["accept", "*/*"]] as [string, string][], query: [], cookies: [] };

test.each<[SecurityScheme, Partial<typeof nothing> | { query: string[] } | { cookies: string[] }]>([
  [key, { headers: [["x-api-key", "1"]] }],
  [queryKey, { query: ["app%20id=1"] }],
  [session, { cookies: ["sid=1"] }],
  [session, { headers: [["Cookie", "sid=1"]] }],
  [basic, { headers: [["authorization", "Basic YTpi"]] }],
  [bearer, { query: ["access_token=1"] }],
  [hoba, { headers: [["Authorization", "HOBA 1"]] }],
])("a test answers %j manually with %j, and with nothing it doesn't", (scheme, sent) => {
  expect(isAnsweredByHand(scheme, { ...nothing, ...sent })).toBe(true);
  expect(isAnsweredByHand(scheme, nothing)).toBe(false);
});

test("an empty value answers nothing, and a client certificate can't be typed", () => {
  expect(isAnsweredByHand(key, { ...nothing, headers: [["X-API-Key", ""]] })).toBe(false);
  expect(isAnsweredByHand(queryKey, { ...nothing, query: ["app%20id="] })).toBe(false);
  expect(isAnsweredByHand(tls, { ...nothing, headers: [["authorization", "x"]] })).toBe(false);
});
