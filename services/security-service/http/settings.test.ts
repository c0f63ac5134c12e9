import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { type Client, requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;
  let operator: Client<typeof securityServiceContract>;

  beforeAll(async () => {
    database = await engine.open();
    world = await createSecurityWorld(database, { environmentEgressAllow: "10.1.0.0/16:80" });
    operator = world.connect({ token: (await world.requireLogin()).accessToken });
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  const readSettings = async () => requireValue(await operator.getSettings(), "settings");
  const changes = async () => requireValue(await operator.listSettingChanges({ query: {} }), "changes").items;
  const undo = (changeId: string) => operator.undoSettingChange({ params: { changeId } });

  test(`${engine.name}: nothing is set at first, and a setting applies at once and is returned with author and time`, async () => {
    const first = await readSettings();
    expect([first.set, first.environmentEgressAllow, first.values.testTimeoutSeconds]).toEqual([
      [],
      "10.1.0.0/16:80",
      120,
    ]);
    const body = { testTimeoutSeconds: 30, egressAllow: ["10.0.0.1:8080"] };
    const saved = requireValue(await operator.changeSettings({ body }), "saving");
    expect(saved.values).toMatchObject(body);
    expect(world.service.settings.current()).toMatchObject(body);
    const [one, other] = await changes();
    expect([one, other]).toMatchObject([
      { setting: "egressAllow", before: null, after: ["10.0.0.1:8080"], changedBy: "Administrator", isLatest: true },
      { setting: "testTimeoutSeconds", before: null, after: 30, undoes: null, isLatest: true },
    ]);
    requireValue(await operator.changeSettings({ body }), "saving the same");
    expect(await changes()).toHaveLength(2);
  });

  test(`${engine.name}: a change can be undone while it is the newest, and so can its undoing`, async () => {
    requireValue(await operator.changeSettings({ body: { testTimeoutSeconds: 60 } }), "saving");
    const [latest, ...earlier] = await changes();
    const stale = earlier.find(({ setting }) => setting === "testTimeoutSeconds")!;
    expect((await undo(stale.id)).status).toBe(409);
    const undone = requireValue(await undo(latest!.id), "undoing");
    expect([undone.after, undone.undoes, (await readSettings()).values.testTimeoutSeconds]).toEqual([
      30,
      latest!.id,
      30,
    ]);
    expect((await undo(latest!.id)).status).toBe(409);
    requireValue(await undo(undone.id), "undoing the undoing");
    expect((await readSettings()).values.testTimeoutSeconds).toBe(60);
    expect((await undo("01900000-0000-7000-8000-000000000000")).status).toBe(404);
  });

  test(`${engine.name}: null restores the default`, async () => {
    const body = { testTimeoutSeconds: null, egressAllow: null };
    const saved = requireValue(await operator.changeSettings({ body }), "saving");
    expect([saved.set, saved.values.testTimeoutSeconds, saved.values.egressAllow]).toEqual([[], 120, []]);
  });

  test(`${engine.name}: a value that is out of bounds, malformed or unknown is refused, along with the others`, async () => {
    for (const body of [
      { testTimeoutSeconds: 121 },
      { testTimeoutSeconds: 0.5, concurrencyPerOrganization: 2 },
      { egressAllow: ["10.0.0.1"], concurrencyPerOrganization: 2 },
      { other: 1, concurrencyPerOrganization: 2 },
    ]) {
      expect(await operator.changeSettings({ body: body as object })).toMatchObject({ status: 422 });
    }
    expect((await readSettings()).set).toEqual([]);
  });

  test(`${engine.name}: another process on the database is notified of a change`, async () => {
    const other = await createSecurityWorld(database);
    requireValue(await operator.changeSettings({ body: { answerKibibytes: 5 } }), "saving");
    await vi.waitUntil(() => other.service.settings.current().answerKibibytes === 5, { timeout: 300_000 });
    await other.stop();
  });

  test(`${engine.name}: concurrent changes each know the value before them`, async () => {
    const wanted = [1, 2, 3, 4, 5, 6];
    await Promise.all(
      wanted.map((concurrencyPerOrganization) => operator.changeSettings({ body: { concurrencyPerOrganization } })),
    );
    const made = (await changes()).filter(({ setting }) => setting === "concurrencyPerOrganization").reverse();
    expect(made.map(({ before }) => before)).toEqual([null, ...made.slice(0, -1).map(({ after }) => after)]);
    expect(made).toHaveLength(wanted.length);
  });
}
