import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

let database: Database;
let world: SecurityWorld;
let client: ReturnType<SecurityWorld["connect"]>;
let service: ReturnType<SecurityWorld["connect"]>;
beforeAll(async () => {
  database = await testEngines()[0].open();
  world = await createSecurityWorld(database);
  const { accessToken, caller } = await world.requireLogin();
  client = world.connect({ token: accessToken });
  service = world.connect({ token: await world.serviceToken(caller.organizationId) });
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

const actor = { id: uuidv7(), name: "ada" };
const credential = (name: string) => ({
  ...{ id: uuidv7(), name, domain: "api.example.com", type: "bearer" as const, settings: {}, secret: "canary-9c" },
});
const take = (...items: object[]) => service.takeCredentials({ body: { items: items as never, actor } });

test("credentials are stored under their ids once, those whose names are taken with a number", async () => {
  const [first, second] = [credential("Token"), credential("token")];
  const named = requireValue(await take(first, second), "taking").items.map(({ name }) => name);
  expect(named).toEqual(["Token", "token (2)"]);
  expect(requireValue(await take(first, second, credential("Token")), "again").items.map(({ name }) => name)).toEqual([
    ...["Token", "token (2)", "Token (3)"],
  ]);
  const { items } = requireValue(await client.listCredentials({ query: {} }), "credentials");
  expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([first.id, second.id]));
  expect(items).toHaveLength(3);
  const { items: opened } = requireValue(
    await service.openCredentials({ body: { host: "api.example.com", credentialIds: [first.id] } }),
    "opening",
  );
  expect(opened).toMatchObject([{ name: "Token", secret: "canary-9c" }]);
  const records = requireValue(await client.listAuditRecords({ query: { kind: "credential" } }), "records").items;
  expect(records.map(({ actor: by }) => by.name)).toEqual(["ada", "ada", "ada"]);
  expect(JSON.stringify(records)).not.toContain("canary-9c");
});

test("one that can't be stored leaves none, and is named", async () => {
  const refused = await take(credential("Good"), { ...credential("Bad"), secret: "two\nlines" });
  expect(refused).toMatchObject({
    status: 422,
    problem: { errors: [{ message: "The credential Bad can't be stored: A secret is one line of text" }] },
  });
  const { items } = requireValue(await client.listCredentials({ query: { query: "good" } }), "credentials");
  expect(items).toEqual([]);
});

test("users can't choose ids", async () => {
  expect((await client.takeCredentials({ body: { items: [credential("Mine")], actor } })).status).toBe(404);
});
