import { expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { createVisitors } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";
import { purgeExpired } from "./purge.ts";

for (const engine of testEngines()) {
  test(`${engine.name}: the purge deletes all but live sessions and tries that still count`, async () => {
    const database = await engine.open();
    const world = await createSecurityWorld(database);
    await world.logIn("admin", "wrong");
    world.clock.advance(14 * 60 * 60 * 1_000);
    await world.requireLogin();
    world.clock.advance(10 * 60 * 60 * 1_000 - 60_000);
    await world.requireLogin();
    await world.logIn("nobody", "wrong");
    world.clock.advance(60_001);
    await purgeExpired(world.db, world.clock.now());
    expect(await world.db.selectFrom("sessions").selectAll().execute()).toHaveLength(1);
    expect(await world.db.selectFrom("refresh_tokens").selectAll().execute()).toHaveLength(1);
    const tries = await world.db.selectFrom("login_tries").select("key").execute();
    expect(tries.map((row) => row.key.split(":")[0]).sort()).toEqual(["account", "address", "name"]);
    await world.stop();
    await database.close();
  });

  test(`${engine.name}: the purge deletes ended links along with their registrations, and stores which invitations expired`, async () => {
    const database = await engine.open();
    const world = await createSecurityWorld(database);
    const visitors = await createVisitors(world);
    const ada = await visitors.requireMember("ada");
    await visitors.requireInvitationToken(ada, "invited@example.com");
    await visitors.askForReset("nobody@example.com");
    world.clock.advance(23 * 60 * 60 * 1_000);
    await visitors.register({ email: "living@example.com" });
    world.clock.advance(60 * 60 * 1_000 + 1);
    await purgeExpired(world.db, world.clock.now());
    const links = async () =>
      (await world.db.selectFrom("mailed_links").select("email").orderBy("email").execute()).map((row) => row.email);
    expect(await links()).toEqual(["invited@example.com", "living@example.com"]);
    expect(await world.db.selectFrom("registrations").select("id").execute()).toHaveLength(1);
    world.clock.advance(7 * 24 * 60 * 60 * 1_000);
    await purgeExpired(world.db, world.clock.now());
    expect(await links()).toEqual([]);
    expect(await world.db.selectFrom("invitations").select("status").execute()).toEqual([{ status: "EXPIRED" }]);
    await world.stop();
    await database.close();
  });
}
