import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { connectTo, requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { createServiceTokens } from "../../kit/identity/identity.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createSecurityWorld, serviceKey } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: Awaited<ReturnType<typeof createSecurityWorld>>;
  let ids: Record<string, string>;
  const names = ["Acme Rockets", "acme.example", "O'Neil & Sons", "Straße-Werke", "Back\\slash", "Rocket Acmes"];
  beforeAll(async () => {
    database = await engine.open();
    world = await createSecurityWorld(database);
    ids = Object.fromEntries(names.map((name) => [name, uuidv7()]));
    await world.db
      .insertInto("organizations")
      .values(names.map((name) => ({ id: ids[name]!, kind: "organization" as const, name, created_at: new Date() })))
      .execute();
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  async function find(query: { ids?: string; words?: string }) {
    const token = await createServiceTokens(serviceKey, "portal-service")(uuidv7());
    const connect = connectTo(securityServiceContract, { transport: (request) => world.service.app.fetch(request) });
    const { items, hasMore } = requireValue(await connect({ token }).findOrganizations({ query }), "organizations");
    return { names: items.map(({ name }) => name).sort(), hasMore };
  }

  test.each<[string, string[]]>([
    ["acme", ["Acme Rockets", "Rocket Acmes", "acme.example"]],
    ["ACME rock", ["Acme Rockets", "Rocket Acmes"]],
    ["exam", ["acme.example"]],
    ["o'neil", ["O'Neil & Sons"]],
    ["werke", ["Straße-Werke"]],
    ["back\\slash", ["Back\\slash"]],
    ["':*", []],
    ["' | 'rock':* & !x", []],
    ["' | 'rock':*", ["Acme Rockets", "Rocket Acmes"]],
    ["kets", []],
    ["", []],
  ])(`${engine.name}: organizations are found by beginnings of words of their names: %s`, async (words, expected) => {
    expect((await find({ words })).names).toEqual([...expected].sort());
  });

  test(`${engine.name}: names of organizations are looked up by id, and unknown ids are left out`, async () => {
    const found = await find({ ids: [ids["Acme Rockets"], uuidv7()].join(",") });
    expect(found).toEqual({ names: ["Acme Rockets"], hasMore: false });
    expect((await find({})).names).toEqual([]);
  });

  test(`${engine.name}: more than 200 matches of a word are reported as such`, async () => {
    const many = Array.from({ length: 201 }, (_, index) => ({
      ...{ id: uuidv7(), kind: "organization" as const, name: `Many ${index}`, created_at: new Date() },
    }));
    await world.db.insertInto("organizations").values(many).execute();
    const found = await find({ words: "many" });
    expect([found.names.length, found.hasMore]).toEqual([200, true]);
  });
}
