import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { addMember, addOrganization, signInAs } from "../testing/members.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;
  let organizationId: string;
  let annaId: string;
  let anna: Awaited<ReturnType<typeof signInAs>>;

  beforeAll(async () => {
    database = await engine.open();
    world = await createSecurityWorld(database);
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });
  beforeEach(async () => {
    await world.db.deleteFrom("users").where("username_key", "<>", "admin").execute();
    await world.db.deleteFrom("login_tries").execute();
    organizationId = await addOrganization(world, "Ours");
    annaId = await addMember(world, organizationId, { username: "anna", roles: ["ADMIN"], fullName: "Anna Arendt" });
    anna = await signInAs(world, "anna");
  });

  const getRoles = async (userId: string) => {
    const row = await world.db
      .selectFrom("memberships")
      .select("roles")
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    return row.roles;
  };
  const changed = (change: Partial<{ fullName: string; email: string; disabled: boolean }> = {}) => ({
    fullName: "Anna Arendt",
    email: "anna@example.com",
    disabled: false,
    ...change,
  });

  test(`${engine.name}: roles are given and removed, as a list or in an object, and take effect at the next refresh`, async () => {
    const bertaId = await addMember(world, organizationId, { username: "berta" });
    const berta = await signInAs(world, "berta");
    const params = { userId: bertaId };
    expect(await anna.client.addUserRoles({ params, body: ["EDITOR"] })).toMatchObject({
      ok: true,
      value: { roles: ["EDITOR", "VIEWER"] },
    });
    expect(await anna.client.removeUserRoles({ params, body: { roles: ["VIEWER"] } })).toMatchObject({
      ok: true,
      value: { roles: ["EDITOR"] },
    });
    expect(await anna.client.listUserRoles({ params })).toMatchObject({ value: { roles: ["EDITOR"] } });
    expect(await world.connect().refresh({ body: { refreshToken: berta.refreshToken } })).toMatchObject({
      ok: true,
      value: { roles: ["EDITOR"] },
    });
    expect(await anna.client.removeUserRoles({ params, body: ["EDITOR"] })).toMatchObject({ status: 409 });
    expect(await anna.client.addUserRoles({ params, body: [] })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "roles" }] },
    });
  });

  test(`${engine.name}: T06: the operator's role can't be given or removed, and only an operator changes an operator`, async () => {
    const { caller, accessToken } = await world.requireLogin();
    const operator = { userId: caller.userId };
    const colleagueId = await addMember(world, caller.organizationId, { username: "carla", roles: ["ADMIN"] });
    const carla = await signInAs(world, "carla");
    for (const body of [["SYSTEM_ADMIN"], { roles: ["SYSTEM_ADMIN"] }]) {
      expect(
        await carla.client.addUserRoles({ params: { userId: colleagueId }, body: body as ["ADMIN"] }),
      ).toMatchObject({ status: 422 });
    }
    const stolen = changed({ email: "carla@evil.example" });
    expect(await carla.client.endUserSessions({ params: operator })).toMatchObject({ status: 403 });
    expect(await carla.client.changeUser({ params: operator, body: stolen })).toMatchObject({ status: 403 });
    expect(await carla.client.removeUserRoles({ params: operator, body: ["ADMIN"] })).toMatchObject({ status: 403 });
    const own = world.connect({ token: accessToken });
    expect(await own.removeUserRoles({ params: operator, body: ["ADMIN"] })).toMatchObject({
      ok: true,
      value: { roles: ["SYSTEM_ADMIN"] },
    });
    await world.db
      .updateTable("memberships")
      .set({ roles: ["SYSTEM_ADMIN", "ADMIN"] })
      .where("user_id", "=", caller.userId)
      .execute();
  });

  test(`${engine.name}: T05: of two administrators who remove each other's role at the same moment, one remains`, async () => {
    const bertaId = await addMember(world, organizationId, { username: "berta", roles: ["ADMIN", "EDITOR"] });
    await addMember(world, organizationId, { username: "off", roles: ["ADMIN"] });
    await world.db.updateTable("users").set({ disabled_at: new Date() }).where("username_key", "=", "off").execute();
    await anna.client.addUserRoles({ params: { userId: annaId }, body: ["EDITOR"] });
    const berta = await signInAs(world, "berta");
    for (let round = 0; round < 5; round += 1) {
      const results = await Promise.all([
        anna.client.removeUserRoles({ params: { userId: bertaId }, body: ["ADMIN"] }),
        berta.client.removeUserRoles({ params: { userId: annaId }, body: ["ADMIN"] }),
        anna.client.changeUser({
          params: { userId: bertaId },
          body: changed({ email: "berta@example.com", disabled: true }),
        }),
      ]);
      expect(results.some((result) => !result.ok)).toBe(true);
      const left = await world.db
        .selectFrom("memberships")
        .innerJoin("users", "users.id", "memberships.user_id")
        .select("users.username")
        .where("memberships.organization_id", "=", organizationId)
        .where("users.disabled_at", "is", null)
        .where(sql<boolean>`'ADMIN' = any(roles)`)
        .execute();
      expect(left.length).toBeGreaterThan(0);
      await world.db
        .updateTable("memberships")
        .set({ roles: ["ADMIN", "EDITOR"] })
        .where("user_id", "in", [annaId, bertaId])
        .execute();
      await world.db.updateTable("users").set({ disabled_at: null }).where("id", "=", bertaId).execute();
    }
  });

  test(`${engine.name}: the last administrator can neither lose the role nor be disabled by another user`, async () => {
    expect(await anna.client.addUserRoles({ params: { userId: annaId }, body: ["VIEWER"] })).toMatchObject({
      ok: true,
    });
    expect(await anna.client.removeUserRoles({ params: { userId: annaId }, body: ["ADMIN"] })).toMatchObject({
      status: 409,
      problem: { detail: expect.stringContaining("The organization would have no administrator") },
    });
    expect(await getRoles(annaId)).toEqual(["ADMIN", "VIEWER"]);
  });

  test(`${engine.name}: A03: a former administrator can't restore the role with an earlier token`, async () => {
    const bertaId = await addMember(world, organizationId, { username: "berta", roles: ["ADMIN", "VIEWER"] });
    const berta = await signInAs(world, "berta");
    await anna.client.removeUserRoles({ params: { userId: bertaId }, body: ["ADMIN"] });
    expect(await berta.client.addUserRoles({ params: { userId: bertaId }, body: ["ADMIN"] })).toMatchObject({
      status: 403,
    });
    expect(await getRoles(bertaId)).toEqual(["VIEWER"]);
  });
}
