import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type Lie, startLyingProvider } from "../testing/lying-provider.ts";
import { createSigningOnWorld, type SigningOnWorld } from "../testing/signing-on.ts";

let database: Database;
let provider: Awaited<ReturnType<typeof startLyingProvider>>;
let signing: SigningOnWorld;

beforeAll(async () => {
  [database, provider] = await Promise.all([testEngines()[0]!.open(), startLyingProvider()]);
  signing = await createSigningOnWorld(database);
  await signing.prove("example.com");
  requireValue(await signing.set(provider), "setting");
});
afterAll(async () => {
  await signing.world.stop();
  await Promise.all([database.close(), provider.close()]);
});

async function signIn(lie: Lie) {
  provider.lie({});
  const begun = await signing.begin();
  provider.lie(lie);
  return await signing.finish(begun, provider.visit(begun.url, { email: "ada@example.com" }));
}

test("what an honest provider says is believed", async () => {
  expect(await signIn({})).toMatchObject({ ok: true, value: { accessToken: expect.any(String) } });
  const several = await signIn({ claims: { aud: ["portal", "other"], azp: "portal" } });
  expect(several).toMatchObject({ ok: true, value: { accessToken: expect.any(String) } });
});

const now = () => Math.floor(Date.now() / 1_000);

test.each<[string, Lie, RegExp]>([
  ["another nonce", { claims: { nonce: "another" } }, /not for this sign-in/],
  ["no nonce", { claims: { nonce: undefined } }, /can't be used/],
  ["another issuer", { claims: { iss: "https://evil.example" } }, /not for this sign-in/],
  ["a token for another client", { claims: { aud: "another" } }, /not for this sign-in/],
  ["a token that another client asked for", { claims: { aud: ["portal", "other"], azp: "other" } }, /not for this/],
  ["an expired token", { claims: { iat: now() - 7_200, exp: now() - 3_600 } }, /clock/],
  ["a token of the future", { claims: { nbf: now() + 3_600 } }, /clock/],
  ["a key that is not published", { signed: "with another key" }, /./],
  ["no signature", { signed: "not at all" }, /./],
  ["a signature with the client's secret", { signed: "with the client's secret" }, /./],
  ["no subject", { claims: { sub: undefined } }, /can't be used/],
  ["no address", { claims: { email: undefined } }, /did not send your email/],
  ["a refused secret", { token: { status: 401, body: { error: "invalid_client" } } }, /client ID or client secret/],
  ["an answer without a token", { token: { status: 200, body: {} } }, /can't be used/],
  ["a failure", { token: { status: 500, body: "oops" } }, /./],
])("%s signs nobody in", async (_, lie, detail) => {
  const result = await signIn(lie);
  expect(result).toMatchObject({ status: 403, problem: { detail: expect.stringMatching(detail) } });
  expect(JSON.stringify(result)).not.toContain("secret of the portal");
});

test.each<[string, Record<string, unknown>, RegExp]>([
  ["of another issuer", { issuer: "https://evil.example" }, /another issuer/],
  ["whose sign-in is a script", { authorization_endpoint: "javascript:alert(1)" }, /authorization_endpoint/],
  ["without keys", { jwks_uri: undefined }, /jwks_uri/],
])("metadata %s is refused when it is saved", async (_, metadata, message) => {
  provider.lie({ metadata });
  expect(await signing.set(provider)).toMatchObject({
    ...{ status: 422, problem: { errors: [{ path: "issuer", message: expect.stringMatching(message) }] } },
  });
});

test("A04: one return from the provider signs in once, also of ten at once, where the provider takes its code again", async () => {
  provider.lie({});
  requireValue(await signing.set(provider), "setting");
  const begun = await signing.begin();
  const returned = provider.visit(begun.url, { email: "ada@example.com" });
  const attempts = await Promise.all(Array.from({ length: 10 }, () => signing.finish(begun, returned)));
  const again = await signing.finish(begun, returned);
  expect(attempts.filter(({ ok }) => ok)).toHaveLength(1);
  const usedAlready = { status: 403, problem: { detail: expect.stringContaining("used already") } };
  for (const refused of [...attempts.filter(({ ok }) => !ok), again]) expect(refused).toMatchObject(usedAlready);
  expect(await signing.attempt(begun, returned)).toMatchObject(usedAlready);
});
