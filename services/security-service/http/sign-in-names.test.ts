import { type KyselyPlugin, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { addMember, addOrganization, memberPassword, signInAs } from "../testing/members.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;
  let organizationId: string;
  let annaId: string;
  const statements: string[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      statements.push("sqlFragments" in node ? node.sqlFragments.join("?") : node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  };

  beforeAll(async () => {
    database = await engine.open();
    world = await createSecurityWorld({
      ...database,
      inSchema: <Tables>(schema: string) => database.inSchema<Tables>(schema).withPlugin(recorder),
    });
    organizationId = await addOrganization(world);
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });
  beforeEach(async () => {
    await world.db.deleteFrom("users").where("username_key", "<>", "admin").execute();
    await world.db.deleteFrom("login_tries").execute();
    await world.db.deleteFrom("known_places").execute();
    annaId = await addMember(world, organizationId, { username: "anna", email: "Anna.Arendt@Example.com" });
  });

  async function guess(name: string, times: number, headers: Record<string, string> = {}, token?: string) {
    const statuses: number[] = [];
    for (let number = 0; number < times; number += 1) {
      statuses.push((await world.logIn(name, "a wrong password", headers, token)).status);
    }
    return statuses;
  }
  const times = (count: number, status: number) => Array<number>(count).fill(status);

  test(`${engine.name}: an account is signed in to by its username or its email address, in any spelling`, async () => {
    for (const name of ["anna", " ANNA ", "anna.arendt@example.com", "Anna.Arendt@EXAMPLE.com "]) {
      const { accessToken } = await signInAs(world, name);
      expect(await world.service.authenticate(accessToken)).toMatchObject({ userId: annaId, username: "anna" });
    }
    expect(await world.logIn("anna.arendt@example.com", "a wrong password")).toMatchObject({ status: 401 });
    expect(await world.logIn("anna@example.com", memberPassword)).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: accounts without an address are not found by one`, async () => {
    await addMember(world, organizationId, { username: "berta", email: "" });
    expect(await world.logIn(" ", memberPassword)).toMatchObject({ status: 401 });
    await signInAs(world, "berta");
  });

  test(`${engine.name}: a username that looks like another user's address is the username`, async () => {
    const rootId = await addMember(world, organizationId, { username: "root@example.com", email: "root@corp.example" });
    await addMember(world, organizationId, { username: "carla", email: "root@example.com" });
    const { accessToken } = await signInAs(world, "root@example.com");
    expect(await world.service.authenticate(accessToken)).toMatchObject({ userId: rootId });
  });

  test(`${engine.name}: A06: both names of an account share its ten tries, and no response reveals it`, async () => {
    expect(await guess("anna", 6)).toEqual(times(6, 401));
    // Four of these are checked; the others get the response of a wrong password, as for an unknown address.
    expect(await guess("anna.arendt@example.com", 11)).toEqual([...times(10, 401), 429]);
    expect(await guess("anna", 5)).toEqual([...times(4, 401), 429]);
    expect(await guess("nobody@example.com", 11)).toEqual([...times(10, 401), 429]);
  });

  test(`${engine.name}: A06: after ten guesses over both names the right password is checked under neither`, async () => {
    await Promise.all([guess("anna", 9), guess("anna.arendt@example.com", 1)]);
    // The right password would now be the eleventh try.
    expect(await world.logIn("anna.arendt@example.com", memberPassword)).toMatchObject({ status: 401 });
    expect(await world.logIn("anna", memberPassword)).toMatchObject({ status: 401 });
    world.clock.advance(15 * 60_000);
    await signInAs(world, "anna.arendt@example.com");
  });

  test(`${engine.name}: A06: the owner signs in from a known address by either name while others guess`, async () => {
    const token = await world.serviceToken("portal");
    const home = { "x-client-address": "203.0.113.20" };
    expect(await world.logIn("anna", memberPassword, home, token)).toMatchObject({ ok: true });
    for (let number = 0; number < 10; number += 1) {
      await guess("anna.arendt@example.com", 1, { "x-client-address": `198.51.100.${number}` }, token);
    }
    for (const name of ["anna", "anna.arendt@example.com"]) {
      expect(await world.logIn(name, memberPassword, home, token)).toMatchObject({ ok: true });
      expect(await world.logIn(name, memberPassword, { "x-client-address": "198.51.100.99" }, token)).not.toMatchObject(
        { ok: true },
      );
    }
  });

  test(`${engine.name}: signing in by either name uses up no tries`, async () => {
    await guess("anna", 9);
    for (let number = 0; number < 6; number += 1) {
      await signInAs(world, "anna.arendt@example.com");
      await signInAs(world, "anna");
    }
    const left = await sql<{ count: number }>`
      select sum(cardinality(tried_at))::int as count from security_service.login_tries where key like 'account:%'`.execute(
      database.kysely,
    );
    expect(left.rows[0]?.count).toBe(9);
  });

  test(`${engine.name}: A05: a known address, an unknown one and a name are checked with the same statements`, async () => {
    const count = async (name: string) => {
      await world.db.deleteFrom("login_tries").execute();
      statements.length = 0;
      expect(await world.logIn(name, "a wrong password")).toMatchObject({ status: 401 });
      // The service polls for changed access every second, independent of sign-ins.
      return statements.filter((statement) => !statement.includes("pg_current_snapshot"));
    };
    // A periodic job may run a statement during a try, which is missing at the next.
    const counted = async () => {
      const [known, ...others] = [
        await count("anna.arendt@example.com"),
        await count("unknown@example.com"),
        await count("anna"),
        await count("nobody"),
      ];
      expect(known!.length).toBeGreaterThan(3);
      return others.every((other) => String(other) === String(known));
    };
    await expect.poll(counted).toBe(true);
  });
}
