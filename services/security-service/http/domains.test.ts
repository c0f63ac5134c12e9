import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Domain, DomainInput } from "#contracts/security-service/domains.ts";
import { type Client, requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { raiseSecondWall } from "../../kit/database/row-security.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { startTarget, type Target } from "../../test-executioner/testing/target.ts";
import { createFindTexts } from "../domain-proof/dns-texts.ts";
import { addUnsafeMethods, createDomains } from "../store/domain-migrations.ts";
import { findDomainsByWords } from "../store/list-migrations.ts";
import { startNameServer } from "../testing/name-server.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

const absent = "01900000-0000-7000-8000-000000000000";
const credential = { name: "Orders", domain: "api.test", type: "bearer" as const, settings: {}, secret: "s-1" };

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;
  let nameServer: Awaited<ReturnType<typeof startNameServer>>;
  let host: Target;
  let administrator: Client<typeof securityServiceContract>;
  let stranger: Client<typeof securityServiceContract>;
  const otherOrganizationId = uuidv7();

  beforeAll(async () => {
    [database, nameServer, host] = await Promise.all([
      engine.open(),
      startNameServer(),
      startTarget((_, response) => void response.writeHead(404).end()),
    ]);
    world = await createSecurityWorld(database, { findTexts: createFindTexts([nameServer.address]) });
    administrator = world.connect({ token: (await world.requireLogin()).accessToken });
    await world.db
      .insertInto("organizations")
      .values({ id: otherOrganizationId, kind: "organization", name: "Other", created_at: new Date() })
      .execute();
    stranger = world.connect({ token: await world.serviceToken(otherOrganizationId) });
  });
  afterEach(async () => {
    nameServer.texts.clear();
    nameServer.fail(false);
    host.answer((_, response) => void response.writeHead(404).end());
    await world.db.deleteFrom("credentials").execute();
    await world.db.deleteFrom("domains").execute();
  });
  afterAll(async () => {
    await world.stop();
    await Promise.all([database.close(), nameServer.close(), host.close()]);
  });

  async function create(input: Partial<DomainInput> = {}, client = administrator): Promise<Domain> {
    return requireValue(await client.createDomain({ body: { name: "api.test", ...input } }), "creating");
  }

  async function check({ id }: { id: string }, client = administrator): Promise<Domain["verification"]> {
    return requireValue(await client.checkDomain({ params: { domain: id } }), "checking").verification;
  }

  const publish = ({ verification: { record } }: Domain, ...others: string[]) =>
    nameServer.texts.set(record!.name, [...others, record!.value]);

  test(`${engine.name}: a created domain is unverified and says where to put which proof`, async () => {
    const created = await create({ description: "Shop" });
    const { token } = created.verification;
    expect(created).toMatchObject({
      name: "api.test",
      description: "Shop",
      credentialCount: 0,
      verification: { state: "unverified", method: "dnsTxt", checkedAt: null, provenAt: null, failure: null },
    });
    expect(created.verification.record).toEqual({ name: "_api-assurance.api.test", value: `api-assurance=${token}` });
    expect(token).toMatch(/^[\w-]{32}$/);
    const read = await administrator.getDomain({ params: { domain: "API.test" } });
    expect(requireValue(read, "reading")).toEqual(created);
  });

  test(`${engine.name}: a name is unique within an organization but not across organizations`, async () => {
    const own = await create();
    const again = await administrator.createDomain({ body: { name: "API.test" } });
    expect(again).toMatchObject({ status: 409, problem: { errors: [{ path: "name" }] } });
    const theirs = await create({}, stranger);
    expect(theirs.verification.token).not.toBe(own.verification.token);
  });

  test(`${engine.name}: an invalid host name, and a method that can't prove it, are refused at their fields`, async () => {
    const refuse = async (body: DomainInput) => {
      const result = await administrator.createDomain({ body });
      return result.ok ? [] : result.problem.errors?.map(({ path }) => path);
    };
    expect(await refuse({ name: "https://api.test" })).toEqual(["name"]);
    expect(await refuse({ name: "api.test:443" })).toEqual(["name"]);
    expect(await refuse({ name: "*.test" })).toEqual(["name"]);
    expect(await refuse({ name: "*.shop.test", method: "wellKnown" })).toEqual(["method"]);
    expect(await refuse({ name: "127.0.0.1:8080", method: "dnsTxt" })).toEqual(["method"]);
  });

  test(`${engine.name}: a TXT record among others verifies a domain`, async () => {
    const domain = await create();
    publish(domain, "v=spf1 -all", "api-assurance=somebody-else");
    expect(await check(domain)).toMatchObject({ state: "verified", failure: null, missedChecks: 0 });
  });

  test(`${engine.name}: a missing record, another value and an unresponsive name server each have their own reason`, async () => {
    const domain = await create();
    expect(await check(domain)).toMatchObject({
      state: "unverified",
      provenAt: null,
      failure: "_api-assurance.api.test has no TXT record.",
    });
    nameServer.texts.set("_api-assurance.api.test", ["api-assurance=other"]);
    expect((await check(domain)).failure).toContain("none with this value");
    nameServer.fail(true);
    expect((await check(domain)).failure).toContain("did not respond for _api-assurance.api.test (ESERVFAIL)");
  });

  test(`${engine.name}: one organization's proof proves nothing for another`, async () => {
    const own = await create();
    const theirs = await create({}, stranger);
    publish(own);
    expect((await check(theirs, stranger)).state).toBe("unverified");
    publish(theirs, own.verification.record!.value);
    expect((await check(theirs, stranger)).state).toBe("verified");
    expect((await check(own)).state).toBe("verified");
  });

  test(`${engine.name}: a file with one line per organization verifies a host`, async () => {
    const domain = await create({ name: host.host });
    expect(domain.verification.method).toBe("wellKnown");
    const { content, url } = domain.verification.file!;
    host.answer(({ url: path }, response) => {
      const isFile = path === new URL(url).pathname;
      response.writeHead(isFile ? 200 : 404).end(`\uFEFFapi-assurance=others\r\n  ${content}\r\n`);
    });
    expect(await check(domain)).toMatchObject({ state: "verified", failure: null });
  });

  test(`${engine.name}: a redirect, another text and an error page prove nothing`, async () => {
    const domain = await create({ name: host.host });
    const { content } = domain.verification.file!;
    host.answer(({ url }, response) => {
      if (url === "/elsewhere") response.end(content);
      else response.writeHead(302, { location: "/elsewhere" }).end();
    });
    expect((await check(domain)).failure).toContain("returned 302 instead of 200; redirects are not followed");
    host.answer((_, response) => void response.end(`<p>${content}</p>`));
    expect((await check(domain)).failure).toContain("no line of it is the text to copy");
    host.answer((_, response) => void response.writeHead(503).end(content));
    expect(await check(domain)).toMatchObject({
      state: "unverified",
      failure: expect.stringContaining("returned 503"),
    });
  });

  test(`${engine.name}: a verified domain stays verified when a manual check misses the proof`, async () => {
    const domain = await create();
    publish(domain);
    await check(domain);
    nameServer.texts.clear();
    for (const _ of [1, 2, 3, 4]) await check(domain);
    expect(await check(domain)).toMatchObject({
      state: "verified",
      missedChecks: 0,
      failure: "_api-assurance.api.test has no TXT record.",
    });
  });

  test(`${engine.name}: a domain's name is fixed, its description and method change, and each change is recorded`, async () => {
    const domain = await create();
    const params = { domain: domain.id };
    const renamed = await administrator.changeDomain({ params, body: { name: "other.test" } });
    expect(renamed).toMatchObject({ status: 422, problem: { errors: [{ path: "name" }] } });
    const body = { name: "api.test", description: "Moved", method: "wellKnown" as const };
    const changed = requireValue(await administrator.changeDomain({ params, body }), "changing");
    expect(changed).toMatchObject({ description: "Moved", verification: { method: "wellKnown" } });
    expect(changed.verification.token).toBe(domain.verification.token);
    const { rows } = await database.kysely
      .selectFrom("security_service.audit_records")
      .select(["operation", "after"])
      .where("resource_id", "=", domain.id)
      .orderBy("id")
      .execute()
      .then((rows) => ({ rows }));
    expect(rows.map(({ operation }) => operation)).toEqual(["createDomain", "changeDomain"]);
    expect(rows[1]!.after).toMatchObject({ description: "Moved", method: "wellKnown" });
  });

  test(`${engine.name}: domains are listed by name, with pages, search and a filter by status`, async () => {
    for (const name of ["c.test", "a.test", "b.test"]) await create({ name, description: `Of ${name}` });
    publish(await create({ name: "proven.test" }));
    const { items } = requireValue(await administrator.listDomains({ query: { query: "proven" } }), "listing");
    await check(items[0]!);
    const getNames = async (query: object) => {
      const page = requireValue(await administrator.listDomains({ query }), "listing");
      return { names: page.items.map(({ name }) => name), next: page.nextCursor };
    };
    const first = await getNames({ limit: 2 });
    expect(first.names).toEqual(["a.test", "b.test"]);
    expect(await getNames({ limit: 2, cursor: first.next! })).toEqual({ names: ["c.test", "proven.test"], next: null });
    expect((await getNames({ state: "verified" })).names).toEqual(["proven.test"]);
    expect((await getNames({ query: "of B" })).names).toEqual(["b.test"]);
    const found = await getNames({ query: "test", limit: 2 });
    expect(found.names).toEqual(["a.test", "b.test"]);
    expect((await getNames({ query: "test", cursor: found.next! })).names).toEqual(["c.test", "proven.test"]);
    expect((await getNames({ query: "prov", state: "verified" })).names).toEqual(["proven.test"]);
    const params = { domain: "b.test" };
    const { id } = requireValue(await administrator.getDomain({ params }), "reading");
    await administrator.changeDomain({ params: { domain: id }, body: { name: "b.test", description: "Renewed" } });
    expect((await getNames({ query: "renew" })).names).toEqual(["b.test"]);
    expect((await getNames({ query: "of b" })).names).toEqual([]);
    expect((await getNames({ query: "..." })).names).toEqual([]);
    expect((await getNames({ state: "unverified", query: "proven" })).names).toEqual([]);
  });

  test(`${engine.name}: a domain exists from the first credential that names it`, async () => {
    const stored = requireValue(await administrator.createCredential({ body: credential }), "credential");
    await administrator.createCredential({ body: { ...credential, name: "Second" } });
    const body = { ...credential, domain: "moved.test" };
    requireValue(await administrator.changeCredential({ params: { credentialId: stored.id }, body }), "moving");
    const { items } = requireValue(await administrator.listDomains({ query: {} }), "listing");
    expect(items.map(({ name, credentialCount }) => [name, credentialCount])).toEqual([
      ["api.test", 1],
      ["moved.test", 1],
    ]);
  });

  test(`${engine.name}: a domain is deleted only when no credential uses it`, async () => {
    const { id: credentialId } = requireValue(await administrator.createCredential({ body: credential }), "credential");
    const { id } = requireValue(await administrator.getDomain({ params: { domain: "api.test" } }), "reading");
    const refused = await administrator.deleteDomain({ params: { domain: id } });
    expect(refused).toMatchObject({ status: 409 });
    expect(refused.ok || refused.problem.detail).toContain("1 credential is bound to api.test");
    await administrator.deleteCredential({ params: { credentialId } });
    expect(await administrator.deleteDomain({ params: { domain: id } })).toMatchObject({ status: 204 });
    expect(await administrator.getDomain({ params: { domain: "api.test" } })).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: another organization's domain is not found by any call`, async () => {
    const { id, name } = await create();
    const params = { domain: id };
    const results = await Promise.all([
      stranger.getDomain({ params: { domain: name } }),
      stranger.changeDomain({ params, body: { name } }),
      stranger.deleteDomain({ params }),
      stranger.checkDomain({ params }),
      administrator.checkDomain({ params: { domain: absent } }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    const problems = results.map((result) => (result.ok ? "" : result.problem.detail));
    expect(new Set(problems)).toEqual(new Set(["No such domain."]));
    expect(requireValue(await stranger.listDomains({ query: {} }), "listing").items).toEqual([]);
  });

  test(`${engine.name}: users without the right to manage domains can read but not change them`, async () => {
    const domain = await create();
    const setRoles = async (roles: string[]) => {
      await world.db.updateTable("memberships").set({ roles }).execute();
      await world.service.accessState.refresh();
    };
    await setRoles(["EDITOR"]);
    try {
      const editor = world.connect({ token: (await world.requireLogin()).accessToken });
      const params = { domain: domain.id };
      expect(requireValue(await editor.listDomains({ query: {} }), "listing").items).toHaveLength(1);
      const refused = await Promise.all([
        editor.createDomain({ body: { name: "new.test" } }),
        editor.changeDomain({ params, body: { name: "api.test" } }),
        editor.deleteDomain({ params }),
        editor.checkDomain({ params }),
      ]);
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    } finally {
      await setRoles(["SYSTEM_ADMIN", "ADMIN"]);
      administrator = world.connect({ token: (await world.requireLogin()).accessToken });
    }
  });

  test(`${engine.name}: domains of credentials stored before domain records existed get one each`, async () => {
    const names = ["api.test", "*.shop.test", "127.0.0.1:8080"];
    for (const [index, domain] of [...names, "api.test"].entries()) {
      await administrator.createCredential({ body: { ...credential, name: `Key ${index}`, domain } });
    }
    await world.db.schema.dropTable("domains").cascade().execute();
    await database.kysely.transaction().execute(async (transaction) => {
      await createDomains(transaction);
      await addUnsafeMethods(transaction);
      await findDomainsByWords(transaction);
    });
    await raiseSecondWall(database, "security_service");
    const { items } = requireValue(await administrator.listDomains({ query: {} }), "listing");
    expect(
      items.map(({ name, credentialCount, verification }) => [name, credentialCount, verification.method]),
    ).toEqual(
      [...names]
        .sort()
        .map((name) => [name, name === "api.test" ? 2 : 1, name.startsWith("127") ? "wellKnown" : "dnsTxt"]),
    );
    const found = requireValue(await administrator.listDomains({ query: { query: "shop" } }), "search");
    expect(found.items.map(({ name }) => name)).toEqual(["*.shop.test"]);
  });
}
