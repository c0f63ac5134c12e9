import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { AuthorizationConfigInput } from "#contracts/security-service/authorization-configs.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { type Client, requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

const absent = "01900000-0000-7000-8000-000000000000";

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;
  let administrator: Client<typeof securityServiceContract>;
  let stranger: Client<typeof securityServiceContract>;
  let internal: Client<typeof securityServiceContract>;
  const otherOrganizationId = uuidv7();

  beforeAll(async () => {
    database = await engine.open();
    world = await createSecurityWorld(database);
    const { accessToken, caller } = await world.requireLogin();
    administrator = world.connect({ token: accessToken });
    internal = world.connect({ token: await world.serviceToken(caller.organizationId) });
    await world.db
      .insertInto("organizations")
      .values({ id: otherOrganizationId, kind: "organization", name: "Other", created_at: new Date() })
      .execute();
    stranger = world.connect({ token: await world.serviceToken(otherOrganizationId) });
  });
  afterEach(async () => {
    await world.db.deleteFrom("credentials").execute();
    await world.db.deleteFrom("domains").execute();
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  async function store(name: string, domain: string, client = administrator): Promise<string> {
    const body = { name, domain, type: "apiKey" as const, settings: { in: "header" as const, parameterName: "X-Key" } };
    return requireValue(await client.createCredential({ body: { ...body, secret: "s-1" } }), "credential").id;
  }
  const bind = async (body: AuthorizationConfigInput, client = administrator) =>
    requireValue(await client.createAuthorizationConfig({ body }), "binding");
  const errors = async (body: AuthorizationConfigInput) => {
    const result = await administrator.createAuthorizationConfig({ body });
    return [result.status, ...(result.ok ? [] : (result.problem.errors ?? []).map(({ path }) => path))];
  };

  test(`${engine.name}: a scheme is bound to a credential, and returned with its type and settings but without the secret`, async () => {
    const credentialId = await store("Shop key", "*.shop.test");
    const created = await bind({ domain: "API.shop.test", schemeName: " key ", credentialId });
    expect(created).toMatchObject({
      ...{ domain: "api.shop.test", schemeName: "key", credentialId, credentialName: "Shop key", credentialFits: true },
      ...{ type: "apiKey", settings: { in: "header", parameterName: "X-Key" } },
    });
    const params = { authorizationConfigId: created.id };
    expect(requireValue(await administrator.getAuthorizationConfig({ params }), "reading")).toEqual(created);
    const domain = await administrator.getDomain({ params: { domain: "api.shop.test" } });
    expect(requireValue(domain, "domain")).toMatchObject({ authorizationConfigCount: 1, credentialCount: 0 });
  });

  test(`${engine.name}: a missing credential, or one that may not be sent to the domain, is refused at its field`, async () => {
    const credentialId = await store("Elsewhere", "other.test");
    const theirs = await store("Theirs", "api.test", stranger);
    const input = { domain: "api.test", schemeName: "key", credentialId };
    expect(await errors(input)).toEqual([422, "credentialId"]);
    expect(await errors({ ...input, credentialId: theirs })).toEqual([422, "credentialId"]);
    expect(await errors({ ...input, credentialId: absent })).toEqual([422, "credentialId"]);
    expect(await errors({ ...input, domain: "other.test:80" })).toEqual([422, "domain"]);
    expect(await errors({ ...input, domain: "other.test", schemeName: " " })).toEqual([422, "schemeName"]);
    expect(requireValue(await administrator.listAuthorizationConfigs({ query: {} }), "listing").items).toEqual([]);
  });

  test(`${engine.name}: a domain has one config per scheme, also after a change`, async () => {
    const credentialId = await store("Key", "api.test");
    const input = { domain: "api.test", schemeName: "key", credentialId };
    await bind(input);
    expect(await errors(input)).toEqual([409, "schemeName"]);
    const other = await bind({ ...input, schemeName: "login" });
    const params = { authorizationConfigId: other.id };
    const taken = await administrator.changeAuthorizationConfig({ params, body: input });
    expect(taken).toMatchObject({ status: 409, problem: { errors: [{ path: "schemeName" }] } });
    const moved = await administrator.changeAuthorizationConfig({ params, body: { ...input, domain: "b.test" } });
    expect(moved).toMatchObject({ status: 422, problem: { errors: [{ path: "domain" }] } });
    const body = { ...input, schemeName: "device" };
    const changed = requireValue(await administrator.changeAuthorizationConfig({ params, body }), "changing");
    expect(changed).toMatchObject({ id: other.id, schemeName: "device" });
  });

  test(`${engine.name}: configs are listed by domain and scheme, with pages, search and a filter by host`, async () => {
    const wide = await store("Wide", "*.shop.test");
    const own = await store("Own", "api.shop.test");
    await bind({ domain: "*.shop.test", schemeName: "key", credentialId: wide });
    await bind({ domain: "api.shop.test", schemeName: "login", credentialId: own });
    await bind({ domain: "api.shop.test", schemeName: "key", credentialId: own });
    await bind({ domain: "eu.shop.test", schemeName: "key", credentialId: wide });
    const toNames = (items: { domain: string; schemeName: string }[]) =>
      items.map(({ domain, schemeName }) => `${domain} ${schemeName}`);
    const first = requireValue(await administrator.listAuthorizationConfigs({ query: { limit: 3 } }), "listing");
    const cursor = first.nextCursor!;
    const second = requireValue(await administrator.listAuthorizationConfigs({ query: { limit: 3, cursor } }), "more");
    expect(toNames([...first.items, ...second.items]).sort()).toEqual([
      "*.shop.test key",
      "api.shop.test key",
      "api.shop.test login",
      "eu.shop.test key",
    ]);
    expect(second.nextCursor).toBeNull();
    const named = requireValue(await administrator.listAuthorizationConfigs({ query: { query: "LOGIN" } }), "words");
    expect(toNames(named.items)).toEqual(["api.shop.test login"]);
    const ofHost = await administrator.listDomainAuthorizationConfigs({
      params: { domain: "eu.shop.test" },
      query: {},
    });
    expect(toNames(requireValue(ofHost, "host").items).sort()).toEqual(["*.shop.test key", "eu.shop.test key"]);
  });

  test(`${engine.name}: of two configs for a scheme, the more specific domain's applies to a host`, async () => {
    const wide = await store("Wide", "*.shop.test");
    const own = await store("Own", "api.shop.test");
    await bind({ domain: "*.shop.test", schemeName: "key", credentialId: wide });
    await bind({ domain: "api.shop.test", schemeName: "key", credentialId: own });
    const getRules = async (host: string, client = internal) =>
      requireValue(await client.findHostRules({ body: { host } }), "rules").authorizationConfigs;
    expect(await getRules("api.shop.test:8443")).toEqual([{ schemeName: "key", credentialId: own }]);
    expect(await getRules("eu.shop.test")).toEqual([{ schemeName: "key", credentialId: wide }]);
    expect(await getRules("eviltest")).toEqual([]);
    expect(await getRules("api.shop.test", stranger)).toEqual([]);
    expect(await administrator.findHostRules({ body: { host: "api.shop.test" } })).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: a config reports that its credential can no longer be sent to its domain`, async () => {
    const credentialId = await store("Key", "api.test");
    const { id } = await bind({ domain: "api.test", schemeName: "key", credentialId });
    const body = { name: "Key", domain: "b.test", type: "bearer" as const, settings: {}, secret: "s-2" };
    await administrator.changeCredential({ params: { credentialId }, body });
    const read = await administrator.getAuthorizationConfig({ params: { authorizationConfigId: id } });
    expect(requireValue(read, "reading")).toMatchObject({ credentialFits: false, type: "bearer" });
  });

  test(`${engine.name}: a config is deleted alone, with its credential and with its domain`, async () => {
    const credentialId = await store("Wide", "*.shop.test");
    const other = await store("Other", "*.shop.test");
    const domain = "api.shop.test";
    const first = await bind({ domain, schemeName: "key", credentialId });
    await bind({ domain, schemeName: "login", credentialId });
    await bind({ domain, schemeName: "device", credentialId: other });
    const left = async () =>
      requireValue(await administrator.listAuthorizationConfigs({ query: {} }), "listing").items.map(
        ({ schemeName }) => schemeName,
      );
    const params = { authorizationConfigId: first.id };
    expect(await administrator.deleteAuthorizationConfig({ params })).toMatchObject({ status: 204 });
    expect(await left()).toEqual(["device", "login"]);
    await administrator.deleteCredential({ params: { credentialId } });
    expect(await left()).toEqual(["device"]);
    const { id } = requireValue(await administrator.getDomain({ params: { domain } }), "domain");
    expect(await administrator.deleteDomain({ params: { domain: id } })).toMatchObject({ status: 204 });
    expect(await left()).toEqual([]);
  });

  test(`${engine.name}: another organization's config is not found, and only domain managers can change configs`, async () => {
    const credentialId = await store("Key", "api.test");
    const body = { domain: "api.test", schemeName: "key", credentialId };
    const params = { authorizationConfigId: (await bind(body)).id };
    const results = await Promise.all([
      stranger.getAuthorizationConfig({ params }),
      stranger.changeAuthorizationConfig({ params, body }),
      stranger.deleteAuthorizationConfig({ params }),
      administrator.getAuthorizationConfig({ params: { authorizationConfigId: absent } }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const setRoles = async (roles: string[]) => {
      await world.db.updateTable("memberships").set({ roles }).execute();
      await world.service.accessState.refresh();
    };
    await setRoles(["EDITOR"]);
    try {
      const editor = world.connect({ token: (await world.requireLogin()).accessToken });
      expect(requireValue(await editor.listAuthorizationConfigs({ query: {} }), "listing").items).toHaveLength(1);
      const refused = await Promise.all([
        editor.createAuthorizationConfig({ body }),
        editor.changeAuthorizationConfig({ params, body }),
        editor.deleteAuthorizationConfig({ params }),
      ]);
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    } finally {
      await setRoles(["SYSTEM_ADMIN", "ADMIN"]);
      administrator = world.connect({ token: (await world.requireLogin()).accessToken });
    }
  });
}
