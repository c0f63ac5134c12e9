import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { type Client, connectTo, requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

const apiId = "0190a000-0000-7000-8000-0000000000a1";
const otherApiId = "0190a000-0000-7000-8000-0000000000a2";
const shop = { id: apiId, name: "Shop" };
const ordersTest = { id: "0190a000-0000-7000-8000-0000000000b1", apiId, name: "Lists orders" };
const none = { total: 0, items: [] };
const noUses = { tests: none, apis: none, authorizationConfigs: none };

let database: Database;
let world: SecurityWorld;
let administrator: Client<typeof securityServiceContract>;
/** Services that are unavailable. */
const away = new Set<string>();
let requested = 0;
/** The tests that test-registry lists. */
let namedIn: Record<string, object> = {};

function around(service: string, result: (request: Request) => Promise<unknown>) {
  return {
    async transport(request: Request) {
      requested += 1;
      if (away.has(service)) throw new Error("connection refused");
      return Response.json({ items: await result(request) });
    },
  };
}

beforeAll(async () => {
  database = await testEngines()[0].open();
  world = await createSecurityWorld(database, {
    testRegistry: connectTo(
      testRegistryContract,
      around("test-registry", async (request) => {
        const { credentialIds } = (await request.json()) as { credentialIds: string[] };
        return credentialIds.flatMap((credentialId) =>
          namedIn[credentialId] ? [{ credentialId, ...namedIn[credentialId] }] : [],
        );
      }),
    ),
    apiRegistry: connectTo(
      apiRegistryContract,
      around("api-registry", async () => [
        { apiId, name: "Shop", baseUrls: ["https://api.example.com/v1", "https://staging.example.com:8443"] },
        { apiId: otherApiId, name: "Elsewhere", baseUrls: ["https://evilexample.com", "no address"] },
      ]),
    ),
  });
  administrator = world.connect({ token: (await world.requireLogin()).accessToken });
});
afterEach(async () => {
  away.clear();
  await world.db.deleteFrom("credentials").execute();
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

async function create(domain: string, name = domain) {
  const body = { name, domain, type: "bearer" as const, settings: {}, secret: "a secret" };
  return requireValue(await administrator.createCredential({ body }), "create");
}

async function usedBy({ id }: { id: string }) {
  return requireValue(await administrator.getCredential({ params: { credentialId: id } }), "get").usedBy;
}

test("a credential is used by the tests that name it and by APIs whose requests go to its domain", async () => {
  const orders = await create("api.example.com");
  expect(orders.usedBy).toEqual({ ...noUses, apis: { total: 1, items: [shop] } });
  namedIn = { [orders.id]: { total: 21, items: [ordersTest] } };
  expect(await usedBy(orders)).toEqual({
    ...noUses,
    tests: { total: 21, items: [ordersTest] },
    apis: { total: 1, items: [shop] },
  });
});

test.each([
  ["*.example.com", 1],
  ["staging.example.com", 1],
  ["staging.example.com:8443", 1],
  ["staging.example.com:9000", 0],
  ["example.com", 0],
  ["evilexample.com", 1],
])("a credential for %s would be sent to %d API", async (domain, total) => {
  expect(await usedBy(await create(domain))).toMatchObject({ apis: { total } });
});

test("a credential is used by the authorization configs that reference it, the first twenty by name", async () => {
  const orders = await create("*.example.com");
  const other = await create("unused.example");
  for (let number = 21; number > 0; number -= 1) {
    const schemeName = `key-${String(number).padStart(2, "0")}`;
    const body = { domain: "api.example.com", schemeName, credentialId: orders.id };
    requireValue(await administrator.createAuthorizationConfig({ body }), "binding");
  }
  const { total, items } = (await usedBy(orders))!.authorizationConfigs;
  expect([total, items.length]).toEqual([21, 20]);
  expect(items[0]).toEqual({ id: expect.any(String), domain: "api.example.com", schemeName: "key-01" });
  expect((await usedBy(other))!.authorizationConfigs).toEqual({ total: 0, items: [] });
});

test("a list includes the uses of every credential, and calls no service when they are not requested", async () => {
  const orders = await create("api.example.com");
  const unused = await create("unused.example");
  namedIn = { [orders.id]: { total: 1, items: [ordersTest] } };
  requested = 0;
  const listed = requireValue(await administrator.listCredentials({ query: {} }), "list").items;
  expect(listed.map(({ id, usedBy: use }) => [id, use])).toEqual([
    [orders.id, { ...noUses, tests: { total: 1, items: [ordersTest] }, apis: { total: 1, items: [shop] } }],
    [unused.id, noUses],
  ]);
  expect(requested).toBe(2);
  const lean = requireValue(await administrator.listCredentials({ query: { usedBy: "false" } }), "list").items;
  expect(lean.map(({ usedBy: use }) => use)).toEqual([null, null]);
  expect(requested).toBe(2);
});

test("uses known to an unavailable service are null, and the credential is returned all the same", async () => {
  const orders = await create("api.example.com");
  away.add("test-registry");
  expect(await usedBy(orders)).toEqual({ ...noUses, tests: null, apis: { total: 1, items: [shop] } });
  away.add("api-registry");
  expect(await usedBy(orders)).toEqual({ ...noUses, tests: null, apis: null });
});
