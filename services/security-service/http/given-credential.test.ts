import { expect, test } from "vitest";
import { createAuthority } from "#libraries/egress/testing/certificates.ts";
import { settingsFor } from "./credential-settings.ts";
import { findCredentialErrors, type GivenCredential } from "./given-credential.ts";

const basic: GivenCredential = {
  name: "Api",
  domain: "api.test",
  type: "basic",
  settings: { username: "ana" },
  secret: "s",
};
const apiKey: GivenCredential = {
  name: "Api",
  domain: "api.test",
  type: "apiKey",
  settings: { in: "header", parameterName: "X-API-Key" },
  secret: "s",
};
const client: GivenCredential = {
  name: "Api",
  domain: "api.test",
  type: "oauth2ClientCredentials",
  settings: { tokenUrl: "https://login.test/token", clientId: "portal", scope: "read write" },
  secret: "s",
};
const getFaults = (given: GivenCredential, stored?: Parameters<typeof findCredentialErrors>[1]) =>
  findCredentialErrors(given, stored).map((error) => error.path);

test("complete credentials of every type have no errors", () => {
  expect(getFaults(basic)).toEqual([]);
  expect(getFaults(apiKey)).toEqual([]);
  expect(getFaults(client)).toEqual([]);
  expect(getFaults({ name: "Api", domain: "api.test", type: "bearer", settings: {}, secret: "s" })).toEqual([]);
});

test("Basic needs a user name without a colon", () => {
  expect(getFaults({ ...basic, settings: {} })).toEqual(["settings.username"]);
  expect(getFaults({ ...basic, settings: { username: "a:b" } })).toEqual(["settings.username"]);
});

test("an API key needs its location and its name", () => {
  expect(getFaults({ ...apiKey, settings: {} })).toEqual(["settings.in", "settings.parameterName"]);
});

test("a client needs its ID and a token URL without user information or secrets", () => {
  expect(getFaults({ ...client, settings: {} })).toEqual(["settings.tokenUrl", "settings.clientId"]);
  for (const tokenUrl of [
    "login.test/token",
    "ftp://login.test/",
    "https://ana:pass@login.test/token",
    "https://a\n.test",
  ]) {
    expect(getFaults({ ...client, settings: { ...client.settings, tokenUrl } })).toEqual(["settings.tokenUrl"]);
  }
  expect(getFaults({ ...client, settings: { ...client.settings, scope: 'a "b"' } })).toEqual(["settings.scope"]);
});

test("L02: a client's stored secret is not carried over to another token host", () => {
  const { secret: _, ...kept } = client;
  const moved = (tokenUrl: string) => ({ ...kept, settings: { ...client.settings, tokenUrl } });
  expect(getFaults(moved("https://login.test/v2/token"), client)).toEqual([]);
  expect(getFaults(moved("https://evil.test/token"), client)).toEqual(["secret"]);
  expect(getFaults(moved("http://login.test/token"), client)).toEqual(["secret"]);
});

test("a key can't be sent in a header that frames the message, nor inject a line", () => {
  for (const parameterName of ["Host", "transfer-encoding", "Proxy-Authorization", "X-A\r\nX-B", "X A"]) {
    expect(getFaults({ ...apiKey, settings: { in: "header", parameterName } })).toEqual(["settings.parameterName"]);
  }
});

test("a query parameter may have any printable name", () => {
  expect(getFaults({ ...apiKey, settings: { in: "query", parameterName: "api key[]" } })).toEqual([]);
});

test("a new credential needs its secret, and a stored one keeps it", () => {
  const { secret: _, ...withoutSecret } = basic;
  expect(getFaults(withoutSecret)).toEqual(["secret"]);
  expect(getFaults(withoutSecret, { ...basic })).toEqual([]);
});

test("L02: a stored secret is not carried over to another domain or type", () => {
  const { secret: _, ...withoutSecret } = basic;
  expect(getFaults(withoutSecret, { ...basic, domain: "other.test" })).toEqual(["secret"]);
  expect(getFaults(withoutSecret, { ...basic, type: "bearer" })).toEqual(["secret"]);
});

test("AWS needs an access key, its region and service", () => {
  const aws: GivenCredential = { ...basic, type: "awsSignatureV4", settings: {} };
  expect(getFaults(aws)).toEqual(["settings.accessKeyId", "settings.region", "settings.service"]);
  const settings = { accessKeyId: "AKIDEXAMPLE", region: "eu-central-1", service: "execute-api" };
  expect(getFaults({ ...aws, settings })).toEqual([]);
  expect(getFaults({ ...aws, settings: { ...settings, region: "eu central" } })).toEqual(["settings.region"]);
});

test("a client certificate needs its own key, with any line breaks, and a change needs both", async () => {
  const authority = await createAuthority();
  const [one, other] = [await authority.selfSign("one"), await authority.selfSign("other")];
  await authority.remove();
  const mutual: GivenCredential = { ...basic, type: "mutualTls", settings: { certificate: one.cert }, secret: one.key };
  expect(getFaults(mutual)).toEqual([]);
  expect(getFaults({ ...mutual, secret: one.key.replaceAll("\n", "") })).toEqual([]);
  for (const secret of [other.key, "a word", one.cert]) expect(getFaults({ ...mutual, secret })).toEqual(["secret"]);
  expect(getFaults({ ...mutual, settings: { certificate: "a word" } })).toEqual(["settings.certificate"]);
  expect(getFaults({ ...mutual, settings: { ...mutual.settings, authority: one.key } })).toEqual([
    "settings.authority",
  ]);
  const { secret: _, ...kept } = mutual;
  expect(getFaults({ ...kept, settings: { certificate: `${one.cert}\r\n` } }, mutual)).toEqual([]);
  expect(getFaults({ ...kept, settings: { certificate: other.cert } }, mutual)).toEqual(["secret"]);
  expect(settingsFor("mutualTls", { certificate: one.cert.replaceAll("\n", "") })).toEqual({ certificate: one.cert });
});

test("a secret or a name with a line break is refused", () => {
  expect(getFaults({ ...basic, name: "a\u0000b" })).toEqual(["name"]);
  expect(getFaults({ ...basic, secret: "a\nb" })).toEqual(["secret"]);
});

test("settings of another type are dropped", () => {
  expect(settingsFor("bearer", { username: "ana", in: "query" })).toEqual({});
  expect(settingsFor("apiKey", { username: "ana", in: "query", parameterName: "k" })).toEqual({
    in: "query",
    parameterName: "k",
  });
});
