import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { CredentialInput } from "#contracts/security-service/credentials.ts";
import { type Client, requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

const canary = "canary-secret-7f3a";
const bearer: CredentialInput = { name: "Orders", domain: "api.test", type: "bearer", settings: {}, secret: canary };
const absent = "01900000-0000-7000-8000-000000000000";

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;
  let administrator: Client<typeof securityServiceContract>;
  let internal: Client<typeof securityServiceContract>;
  let organizationId: string;
  let accessToken: string;
  const otherOrganizationId = uuidv7();

  beforeAll(async () => {
    database = await engine.open();
    world = await createSecurityWorld(database);
    const signedIn = await world.requireLogin();
    organizationId = signedIn.caller.organizationId;
    accessToken = signedIn.accessToken;
    administrator = world.connect({ token: accessToken });
    internal = world.connect({ token: await world.serviceToken(organizationId) });
    await world.db
      .insertInto("organizations")
      .values({ id: otherOrganizationId, kind: "organization", name: "Other", created_at: new Date() })
      .execute();
  });
  afterEach(() => world.db.deleteFrom("credentials").execute());
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  async function create(input: Partial<CredentialInput> = {}, client = administrator) {
    const result = await client.createCredential({ body: { ...bearer, ...input } });
    if (!result.ok) throw new Error(JSON.stringify(result.problem));
    return result.value;
  }

  async function withRole<T>(
    role: string,
    work: (client: Client<typeof securityServiceContract>) => Promise<T>,
  ): Promise<T> {
    await giveRoles([role]);
    try {
      return await work(world.connect({ token: (await world.requireLogin()).accessToken }));
    } finally {
      await giveRoles(["SYSTEM_ADMIN", "ADMIN"]);
    }
  }

  async function giveRoles(roles: string[]): Promise<void> {
    await world.db.updateTable("memberships").set({ roles }).execute();
    await world.service.accessState.refresh();
  }

  /** An administrator of the other organization, with all rights there. */
  const stranger = async () => world.connect({ token: await world.serviceToken(otherOrganizationId) });

  test(`${engine.name}: L02: a created credential is returned without its secret by every call`, async () => {
    const created = await create({ type: "basic", settings: { username: "ana", in: "query" } });
    expect(created).toMatchObject({ name: "Orders", settings: { username: "ana" }, secretSet: true });
    const params = { credentialId: created.id };
    const results = [
      await administrator.getCredential({ params }),
      await administrator.listCredentials({ query: {} }),
      await administrator.listDomainCredentials({ params: { domain: "api.test" }, query: {} }),
      await administrator.changeCredential({
        params,
        body: { ...bearer, type: "basic", settings: { username: "bo" } },
      }),
    ];
    for (const result of results) {
      expect(result.ok).toBe(true);
      expect(JSON.stringify(result)).not.toContain(canary);
      expect(JSON.stringify(result)).not.toMatch(/seal/i);
    }
  });

  test(`${engine.name}: null in optional fields means none`, async () => {
    const { id } = await create({ settings: { username: null, in: null, parameterName: null } as object });
    const body = { ...bearer, name: "Renamed", settings: {}, secret: null as unknown as undefined };
    const changed = await administrator.changeCredential({ params: { credentialId: id }, body });
    expect(changed).toMatchObject({ ok: true, value: { name: "Renamed", settings: {}, secretSet: true } });
  });

  test(`${engine.name}: L01: neither tables nor log lines contain a secret as text`, async () => {
    await create();
    const rows = [
      ...(await world.db.selectFrom("credentials").selectAll().execute()),
      ...(await world.db.selectFrom("signing_keys").selectAll().execute()),
    ];
    for (const form of [canary, Buffer.from(canary).toString("base64"), Buffer.from(canary).toString("base64url")]) {
      expect(JSON.stringify(rows)).not.toContain(form);
      expect(world.logged.join("")).not.toContain(form);
    }
    expect(JSON.stringify(rows)).not.toMatch(/"d":/);
  });

  test(`${engine.name}: L01: a ciphertext copied to another row can't be decrypted`, async () => {
    const first = await create();
    const second = await create({ name: "Second", secret: "another" });
    const { sealed_secret } = await world.db
      .selectFrom("credentials")
      .select("sealed_secret")
      .where("id", "=", first.id)
      .executeTakeFirstOrThrow();
    await world.db.updateTable("credentials").set({ sealed_secret }).where("id", "=", second.id).execute();
    const result = await internal.openCredentials({ body: { host: "api.test", credentialIds: [second.id] } });
    expect(result).toMatchObject({ ok: false, status: 500 });
    expect(JSON.stringify(result)).not.toContain(canary);
  });

  test(`${engine.name}: errors in a credential are reported at their fields`, async () => {
    const wrong = await administrator.createCredential({
      body: { name: "x", domain: "api.test:99999", type: "apiKey", settings: { in: "header", parameterName: "Host" } },
    });
    expect(wrong).toMatchObject({ status: 422, problem: { code: "invalid_input" } });
    if (wrong.ok) throw new Error("stored");
    expect(wrong.problem.errors?.map((error) => error.path)).toEqual(["domain", "settings.parameterName", "secret"]);
    expect(await administrator.createCredential({ body: { ...bearer, domain: "https://api.test/" } })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "domain" }] },
    });
    expect(await administrator.createCredential({ body: { ...bearer, name: "a\u0000b" } })).toMatchObject({
      status: 422,
    });
  });

  test(`${engine.name}: a name is unique regardless of case, also with fifty requests at once`, async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, number) =>
        administrator.createCredential({ body: { ...bearer, name: number % 2 ? "ORDERS" : "orders" } }),
      ),
    );
    expect(results.filter((result) => result.status === 201)).toHaveLength(1);
    expect(results.filter((result) => result.status === 409)).toHaveLength(49);
    const second = await create({ name: "Second" });
    const renamed = await administrator.changeCredential({
      params: { credentialId: second.id },
      body: { ...bearer, name: "Orders", secret: undefined },
    });
    expect(renamed).toMatchObject({ status: 409, problem: { errors: [{ path: "name" }] } });
  });

  test(`${engine.name}: a change without a secret keeps the stored one, and one with a secret replaces it`, async () => {
    const { id } = await create();
    const params = { credentialId: id };
    const open = async () => {
      const result = await internal.openCredentials({ body: { host: "api.test", credentialIds: [id] } });
      return result.ok ? result.value.items[0]?.secret : undefined;
    };
    await administrator.changeCredential({ params, body: { ...bearer, name: "Renamed", secret: undefined } });
    expect(await open()).toBe(canary);
    await administrator.changeCredential({ params, body: { ...bearer, secret: "new" } });
    expect(await open()).toBe("new");
  });

  test(`${engine.name}: L02: pointing a credential at another host requires its secret again`, async () => {
    const { id } = await create();
    const result = await administrator.changeCredential({
      params: { credentialId: id },
      body: { ...bearer, domain: "evil.test", secret: undefined },
    });
    expect(result).toMatchObject({ status: 422, problem: { errors: [{ path: "secret" }] } });
    const opened = await internal.openCredentials({ body: { host: "evil.test" } });
    expect(opened).toMatchObject({ ok: true, value: { items: [] } });
  });

  test(`${engine.name}: secrets are opened for the hosts they are bound to, most specific first, and for no other`, async () => {
    const exact = await create({ name: "Exact" });
    const wild = await create({ name: "A wildcard", domain: "*.test" + "ing.example" });
    const port = await create({ name: "Port", domain: "api.test:8443" });
    const named = await internal.openCredentials({
      body: { host: "api.test:8443", credentialIds: [exact.id, wild.id, port.id, absent] },
    });
    if (!named.ok) throw new Error(named.problem.detail);
    expect(named.value.items.map((item) => item.name)).toEqual(["Port", "Exact"]);
    expect(named.value.refused).toEqual([
      { id: wild.id, reason: "other_domain" },
      { id: absent, reason: "not_found" },
    ]);
    const inherited = await internal.openCredentials({ body: { host: "v2.testing.example" } });
    expect(inherited).toMatchObject({ value: { items: [{ id: wild.id, secret: canary }], refused: [] } });
  });

  test(`${engine.name}: opening secrets is for services: every other caller gets not found`, async () => {
    await create();
    const body = { host: "api.test" };
    expect(await administrator.openCredentials({ body })).toMatchObject({ status: 404 });
    expect(await world.connect().openCredentials({ body })).toMatchObject({ status: 401 });
    const description = await (await world.service.app.request("/openapi.json")).text();
    expect(description).not.toContain("/internal/");
  });

  test(`${engine.name}: T01: another organization's credential is not found`, async () => {
    const { id } = await create();
    const client = await stranger();
    const withoutId = (result: { ok: boolean; status: number; problem?: object }) => ({
      ...result,
      problem: { ...result.problem, requestId: undefined },
    });
    for (const credentialId of [id, absent]) {
      const params = { credentialId };
      const expected = { ok: false, status: 404, problem: { detail: "No such credential." } };
      expect(await client.getCredential({ params })).toMatchObject(expected);
      expect(await client.changeCredential({ params, body: bearer })).toMatchObject(expected);
      expect(await client.deleteCredential({ params })).toMatchObject(expected);
    }
    expect(withoutId(await client.getCredential({ params: { credentialId: id } }))).toEqual(
      withoutId(await client.getCredential({ params: { credentialId: absent } })),
    );
    expect(await client.listCredentials({ query: {} })).toMatchObject({ value: { items: [] } });
    expect(await client.openCredentials({ body: { host: "api.test", credentialIds: [id] } })).toMatchObject({
      value: { items: [], refused: [{ id, reason: "not_found" }] },
    });
    expect(await administrator.getCredential({ params: { credentialId: id } })).toMatchObject({ ok: true });
    const own = await create({}, client);
    expect(own.id).not.toBe(id);
  });

  test(`${engine.name}: editors use credentials but do not manage them, and visitors do neither`, async () => {
    const { id } = await create();
    await withRole("EDITOR", async (editor) => {
      const params = { credentialId: id };
      expect(await editor.listCredentials({ query: {} })).toMatchObject({ value: { items: [{ id }] } });
      expect(await editor.getCredential({ params })).toMatchObject({ ok: true });
      expect(await editor.createCredential({ body: bearer })).toMatchObject({ status: 403 });
      expect(await editor.changeCredential({ params, body: bearer })).toMatchObject({ status: 403 });
      expect(await editor.deleteCredential({ params })).toMatchObject({ status: 403 });
    });
    expect(await world.connect().listCredentials({ query: {} })).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: a deleted credential is not found, and deleting it again is not found either`, async () => {
    const params = { credentialId: (await create()).id };
    expect(await administrator.deleteCredential({ params })).toMatchObject({ status: 204 });
    expect(await administrator.deleteCredential({ params })).toMatchObject({ status: 404 });
    expect(await administrator.getCredential({ params })).toMatchObject({ status: 404 });
    expect(await administrator.getCredential({ params: { credentialId: "1" } })).toMatchObject({ status: 400 });
  });

  test(`${engine.name}: the list pages by name, matches word prefixes and filters by host`, async () => {
    for (const name of ["delta", "Alpha", "charlie 100%", "Bravo"]) await create({ name });
    await create({ name: "Other host", domain: "*.other.example" });
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await administrator.listCredentials({ query: { limit: 2, cursor } });
      if (!page.ok) throw new Error(page.problem.detail);
      names.push(...page.value.items.map((item) => item.name));
      cursor = page.value.nextCursor ?? undefined;
    } while (cursor);
    expect(names).toEqual(["Alpha", "Bravo", "charlie 100%", "delta", "Other host"]);
    const searched = async (query: object) =>
      requireValue(await administrator.listCredentials({ query }), "search").items.map(({ name }) => name);
    expect(await searched({ query: "100%" })).toEqual(["charlie 100%"]);
    expect(await searched({ query: "10 CHAR" })).toEqual(["charlie 100%"]);
    expect(await searched({ query: "%" })).toEqual([]);
    expect(await searched({ query: "test" })).toEqual(["Alpha", "Bravo", "charlie 100%", "delta"]);
    expect(await searched({ query: "other" })).toEqual(["Other host"]);
    expect(await searched({ query: "o", domain: "api.other.example" })).toEqual(["Other host"]);
    expect(await searched({ query: "o", domain: "api.test" })).toEqual([]);
    const filtered = await administrator.listCredentials({ query: { domain: "api.other.example:81" } });
    expect(filtered).toMatchObject({ value: { items: [{ name: "Other host" }] } });
    expect(await administrator.listCredentials({ query: { domain: "::::" } })).toMatchObject({ value: { items: [] } });
    expect(await administrator.listCredentials({ query: { limit: 201 } })).toMatchObject({ status: 400 });
    expect(await administrator.listCredentials({ query: { cursor: "nonsense" } })).toMatchObject({ status: 400 });
    expect(await searched({ query: "alp\u0000" })).toEqual(["Alpha"]);
  });

  test(`${engine.name}: T02: an organization named in body, query or header has no effect`, async () => {
    const response = await world.service.app.request(`/api/v1/credentials?organizationId=${otherOrganizationId}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${accessToken}`,
        "content-type": "application/json",
        "x-organization": otherOrganizationId,
        "x-tenant": otherOrganizationId,
      },
      body: JSON.stringify({ ...bearer, organizationId: otherOrganizationId, organization_id: otherOrganizationId }),
    });
    expect(response.status).toBe(201);
    const rows = await world.db.selectFrom("credentials").select("organization_id").execute();
    expect(rows).toEqual([{ organization_id: organizationId }]);
  });

  test(`${engine.name}: a service sees only the organization it acts for`, async () => {
    const own = await internal.getOrganization({ params: { organizationId } });
    expect(own).toMatchObject({ value: { id: organizationId, name: "My organization" } });
    expect(await internal.getOrganization({ params: { organizationId: otherOrganizationId } })).toMatchObject({
      status: 404,
    });
    expect(await administrator.getOrganization({ params: { organizationId } })).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: bodies of another type and malformed JSON are refused by status`, async () => {
    const post = (type: string, body: string) =>
      world.service.app.request("/api/v1/credentials", {
        method: "POST",
        headers: { authorization: `Bearer ${accessToken}`, "content-type": type },
        body,
      });
    expect((await post("application/json", "{")).status).toBe(400);
    expect((await post("application/json", "[]")).status).toBe(422);
    expect((await post("text/plain", JSON.stringify(bearer))).status).toBe(415);
  });
}
