import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { addMember, addOrganization, signInAs } from "../testing/members.ts";
import { type RunningProvider, startOpenIdProvider } from "../testing/openid-provider.ts";
import { createSigningOnWorld, type SigningOnWorld, testRedirectUri } from "../testing/signing-on.ts";

for (const engine of testEngines()) {
  let database: Database;
  let provider: RunningProvider;
  let signing: SigningOnWorld;

  beforeAll(async () => {
    [database, provider] = await Promise.all([engine.open(), startOpenIdProvider(testRedirectUri)]);
    signing = await createSigningOnWorld(database);
    await signing.prove("example.com");
    await signing.prove("*.example.com");
    await signing.prove("example.com:8443");
  });
  afterEach(() => signing.forget());
  afterAll(async () => {
    await signing.world.stop();
    await Promise.all([database.close(), provider.close()]);
  });

  const read = async () => requireValue(await signing.administrator.getSingleSignOn(), "settings");
  const at = (path: string, message = /./) => ({
    ...{ status: 422, problem: { errors: [{ path, message: expect.stringMatching(message) }] } },
  });

  test(`${engine.name}: the values to register are returned before a provider is set, and only mail domains can be chosen`, async () => {
    expect(await read()).toEqual({
      ...{ singleSignOn: null, redirectUri: testRedirectUri },
      ...{ verifiedDomains: ["example.com"], membersWithoutPassword: 0 },
    });
  });

  test(`${engine.name}: the secret is sealed, never returned, and kept for its own issuer only`, async () => {
    requireValue(await signing.set(provider), "setting");
    expect(JSON.stringify(await read())).not.toContain(provider.clientSecret);
    const [row] = await signing.world.db.selectFrom("single_sign_ons").selectAll().execute();
    expect(JSON.stringify(row)).not.toContain(provider.clientSecret);
    requireValue(await signing.set(provider, { clientSecret: undefined, usualRole: "EDITOR" }), "keeping the secret");
    expect((await read()).singleSignOn).toMatchObject({ usualRole: "EDITOR", domains: ["example.com"] });
    const elsewhere = { clientSecret: undefined, issuer: "http://127.0.0.1:1" };
    expect(await signing.set(provider, elsewhere)).toMatchObject(at("clientSecret"));
    const { items } = requireValue(await signing.administrator.listAuditRecords({ query: {} }), "audit");
    expect(items[0]).toMatchObject({ operation: "setSingleSignOn", before: { usualRole: "VIEWER" } });
    expect(JSON.stringify(items)).not.toContain(provider.clientSecret);
  });

  test.each<[string, Parameters<SigningOnWorld["set"]>[1], string, RegExp]>([
    ["an issuer that is no address", { issuer: "example" }, "issuer", /https/],
    ["an issuer that is not encrypted", { issuer: "http://login.example.com" }, "issuer", /https/],
    ["an issuer inside the network", { issuer: "https://10.0.0.1" }, "issuer", /not one the portal may/],
    ["an issuer that is none", { issuer: "http://127.0.0.1:1" }, "issuer", /can't be reached/],
    ["a domain that is not proven", { domains: ["example.com", "evil.example"] }, "domains", /evil\.example/],
    ["a wildcard", { domains: ["*.example.com"] }, "domains", /not a verified domain/],
    ["values without a claim", { rolesClaim: "" }, "rolesClaim", /claim/],
    ["new accounts without a role", { rolesClaim: "", roles: [], usualRole: null }, "usualRole", /role/],
    ["a claim that gives no role", { roles: [], usualRole: null }, "roles", /value/],
  ])(`${engine.name}: %s is refused`, async (_, changes, path, message) => {
    expect(await signing.set(provider, changes)).toMatchObject(at(path, message));
    expect((await read()).singleSignOn).toBeNull();
  });

  test(`${engine.name}: a domain leads to one organization, the one that can still prove it`, async () => {
    requireValue(await signing.set(provider), "setting");
    const other = await addOrganization(signing.world);
    const theirs = await signing.prove("example.com", other);
    await addMember(signing.world, other, { username: "eve", roles: ["ADMIN"], email: "eve@elsewhere.example" });
    const { client } = await signInAs(signing.world, "eve");
    const { issuer, clientId, clientSecret } = provider;
    const body = {
      ...{ issuer, clientId, clientSecret, domains: ["example.com"], isRequired: false, createsAccounts: true },
      ...{ rolesClaim: "", roles: [], usualRole: "VIEWER" as const },
    };
    expect(await client.setSingleSignOn({ body })).toMatchObject(at("domains", /Another organization/));
    const { db } = signing.world;
    const ours = db.updateTable("domains").where("organization_id", "=", signing.organizationId);
    await ours.set({ state: "unverified" }).execute();
    requireValue(await client.setSingleSignOn({ body }), "taking it over");
    expect((await signing.begin("ada@example.com")).organizationId).toBe(other);
    await ours.set({ state: "verified" }).execute();
    expect(await signing.set(provider)).toMatchObject(at("domains", /Another organization/));
    expect(await client.deleteDomain({ params: { domain: theirs } })).toMatchObject({ status: 409 });
    requireValue(await client.deleteSingleSignOn(), "deleting");
    requireValue(await client.deleteDomain({ params: { domain: theirs } }), "deleting the domain");
  });

  test(`${engine.name}: only a signed-in administrator may set it, and deleting leaves nothing`, async () => {
    requireValue(await signing.set(provider), "setting");
    await addMember(signing.world, signing.organizationId, { username: "ed", roles: ["EDITOR"] });
    const { client: editor } = await signInAs(signing.world, "ed");
    expect(await editor.getSingleSignOn()).toMatchObject({ status: 403 });
    expect(await editor.deleteSingleSignOn()).toMatchObject({ status: 403 });
    expect(await signing.portal.deleteSingleSignOn()).toMatchObject({ status: 403 });
    requireValue(await signing.administrator.deleteSingleSignOn(), "deleting");
    expect((await read()).singleSignOn).toBeNull();
    expect(await signing.start("ada@example.com")).toMatchObject({ status: 422 });
    expect(await signing.administrator.deleteSingleSignOn()).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: an address without provider sign-in gets the response of an address without an account`, async () => {
    requireValue(await signing.set(provider), "setting");
    const results = await Promise.all(["a@unknown.example", "b@sub.example.com"].map(signing.start));
    const [one, other] = results.map((result) => (result.ok ? undefined : result.problem.errors));
    expect(one).toEqual([{ path: "email", message: expect.stringContaining("no single sign-on") }]);
    expect(other).toEqual(one);
  });
}
