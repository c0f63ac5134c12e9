import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createPortalWorld, type PortalWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: PortalWorld;
  let portal: Awaited<ReturnType<PortalWorld["serviceFor"]>>;

  beforeAll(async () => {
    database = await engine.open();
    world = await createPortalWorld(database);
    portal = await world.serviceFor();
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  const keep = async (userId: string, sealed: string) =>
    requireValue(await portal.keepForm({ body: { userId, sealed } }), "keepForm").id;
  const find = async (formId: string, userId: string) => {
    const result = await portal.getKeptForm({ params: { formId }, query: { userId } });
    return result.ok ? result.value.sealed : result.status;
  };

  test(`${engine.name}: a form is returned to its account for ten minutes, and to no other`, async () => {
    const [own, other] = [uuidv7(), uuidv7()];
    const id = await keep(own, "as typed");
    expect(await find(id, other)).toBe(404);
    world.clock.advance(599_000);
    expect(await find(id, own)).toBe("as typed");
    world.clock.advance(2_000);
    expect(await find(id, own)).toBe(404);
  });

  test(`${engine.name}: an account's five newest forms are stored`, async () => {
    const userId = uuidv7();
    const ids: string[] = [];
    for (const number of [1, 2, 3, 4, 5, 6]) ids.push(await keep(userId, `form ${number}`));
    const found = await Promise.all(ids.map((id) => find(id, userId)));
    expect(found).toEqual([404, "form 2", "form 3", "form 4", "form 5", "form 6"]);
  });

  test(`${engine.name}: only services can read stored forms`, async () => {
    const result = await world.operator.keepForm({ body: { userId: uuidv7(), sealed: "x" } });
    expect(result.status).toBe(404);
  });
}
