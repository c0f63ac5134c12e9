import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";
import { listAccessChanges } from "./access-changes.ts";
import { endSession } from "./sessions.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;
  beforeAll(async () => {
    database = await engine.open();
    world = await createSecurityWorld(database);
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  const since = async () => (await listAccessChanges(world.db, "0")).next;

  test(`${engine.name}: an ended session and a changed role are published once committed, by any writer`, async () => {
    const { caller } = await world.requireLogin();
    const before = await since();
    await endSession(world.db, caller.sessionId ?? "", "logout", new Date());
    await world.db
      .updateTable("memberships")
      .set({ roles: ["VIEWER"] })
      .execute();
    const { changes, next } = await listAccessChanges(world.db, before);
    expect(changes).toEqual([
      { kind: "session-ended", sessionId: caller.sessionId },
      {
        kind: "roles-changed",
        userId: caller.userId,
        organizationId: caller.organizationId,
        roles: ["VIEWER"],
        scopes: ["apis:read", "tests:read"],
      },
    ]);
    // Repeated while an older transaction is still open, even in another test's database.
    let cursor = next;
    await expect
      .poll(async () => {
        const look = await listAccessChanges(world.db, cursor);
        cursor = look.next;
        return look.changes;
      })
      .toEqual([]);
  });

  test(`${engine.name}: deleting an account also deletes its live sessions and its membership`, async () => {
    const { caller } = await world.requireLogin();
    const before = await since();
    await world.db.deleteFrom("users").where("id", "=", caller.userId).execute();
    const { changes } = await listAccessChanges(world.db, before);
    expect(changes).toContainEqual({ kind: "session-ended", sessionId: caller.sessionId });
    expect(changes).toContainEqual(expect.objectContaining({ kind: "roles-changed", roles: null, scopes: [] }));
  });
}

test("PostgreSQL: a transaction that began before a poll and commits after it is seen by the next poll", async () => {
  const database = await testEngines()[0].open();
  const world = await createSecurityWorld(database);
  const { caller } = await world.requireLogin();
  const other = await world.requireLogin();
  const cursor = await world.db.transaction().execute(async (transaction) => {
    await endSession(transaction, caller.sessionId ?? "", "logout", new Date());
    // Commits while the first one is still open.
    await endSession(world.db, other.caller.sessionId ?? "", "logout", new Date());
    const seen = await listAccessChanges(world.db, "0");
    expect(seen.changes).toEqual([{ kind: "session-ended", sessionId: other.caller.sessionId }]);
    return seen.next;
  });
  const { changes } = await listAccessChanges(world.db, cursor);
  expect(changes).toContainEqual({ kind: "session-ended", sessionId: caller.sessionId });
  await world.stop();
  await database.close();
});
