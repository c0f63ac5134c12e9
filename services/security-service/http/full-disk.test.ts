import { sql } from "kysely";
import { type TOTP, URI } from "otpauth";
import { afterAll, beforeEach, expect, test } from "vitest";
import { type Database, openEmbeddedDatabase } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { schemaName } from "../store/tables.ts";
import { createAuthenticator } from "../testing/authenticator.ts";
import { addMember, addOrganization, memberPassword, signInAs } from "../testing/members.ts";
import { createVisitors } from "../testing/visitors.ts";
import { administratorPassword, createSecurityWorld } from "../testing/world.ts";

interface Disk {
  database: Database;
  fill(): Promise<void>;
  free(): Promise<void>;
}

async function openEmbedded(): Promise<Disk> {
  const disk = { free: 1e9 };
  const database = await openEmbeddedDatabase(undefined, { reserveBytes: 1e8, readFreeBytes: async () => disk.free });
  /** The pool looks at the disk at most every 200 ms, before a statement. */
  const setFree = async (bytes: number, mode: string) => {
    disk.free = bytes;
    const readMode = () => sql<{ mode: string }>`select current_setting('transaction_read_only') as mode`;
    await expect.poll(async () => (await readMode().execute(database.kysely)).rows[0]?.mode).toBe(mode);
  };
  return { database, fill: () => setFree(1e7, "on"), free: () => setFree(1e9, "off") };
}

/** Every table of the service refuses as one that needs another page of a full disk. */
async function openPostgres(): Promise<Disk> {
  const database = await testEngines()[0].open();
  const forTables = (statement: (table: ReturnType<typeof sql.id>) => ReturnType<typeof sql>) =>
    database.kysely.transaction().execute(async (transaction) => {
      const found = sql<{ name: string }>`select tablename as name from pg_tables where schemaname = ${schemaName}`;
      for (const { name } of (await found.execute(transaction)).rows)
        await statement(sql.id(schemaName, name)).execute(transaction);
    });
  await sql`create function public.refuse_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
    database.kysely,
  );
  return {
    database,
    fill: () =>
      forTables(
        (table) => sql`create trigger disk_is_full before insert or update or delete on ${table}
          for each statement execute function public.refuse_full()`,
      ),
    free: () => forTables((table) => sql`drop trigger disk_is_full on ${table}`),
  };
}

for (const [engine, open] of Object.entries({ PGlite: openEmbedded, PostgreSQL: openPostgres })) {
  const { database, fill, free } = await open();
  const world = await createSecurityWorld(database);
  const visitors = await createVisitors(world);
  const organizationId = await addOrganization(world);
  let people = 0;
  afterAll(async () => {
    await world.stop();
    await database.close();
  });
  beforeEach(() => world.clock.advance(60 * 60_000));

  async function join(roles = ["SYSTEM_ADMIN"]) {
    people += 1;
    const username = `person-${people}`;
    const userId = await addMember(world, organizationId, { username, roles });
    return { username, userId, client: (await signInAs(world, username)).client };
  }
  const logIn = (username: string, password = memberPassword) => world.logIn(username, password);
  const refusal = { status: 507, problem: { detail: expect.stringContaining("only operators can log in") } };

  test(`${engine}: D04: on a full disk operators sign in for five minutes, which the log says, and no other user does`, async () => {
    const operator = await join();
    const editor = await join(["ADMIN", "EDITOR"]);
    await fill();
    if (engine === "PGlite") {
      const health = await (await world.service.app.request("/actuator/health")).json();
      expect(health).toMatchObject({ status: "UP", components: { storage: { status: "DOWN", required: false } } });
    }
    const result = await logIn(operator.username);
    if (!result.ok) throw new Error(JSON.stringify(result.problem));
    expect(result.value).toMatchObject({ expiresIn: 300, refreshToken: "", roles: ["SYSTEM_ADMIN"] });
    expect(await world.service.authenticate(result.value.accessToken)).toMatchObject({ userId: operator.userId });
    const warned = world.logged
      .filter((line) => line.includes("while the disk is full"))
      .map((line) => JSON.parse(line));
    expect(warned).toMatchObject([{ level: 40, userId: operator.userId, seconds: 300 }]);
    expect(await world.connect().refresh({ body: { refreshToken: "" } })).toMatchObject({ ok: false });

    const others = [
      await logIn(operator.username, "a wrong password"),
      await logIn(editor.username),
      await logIn(editor.username, "a wrong password"),
      await logIn("no-such-person"),
    ];
    for (const other of others) expect(other).toMatchObject(refusal);
    const problems = others.map((other) => other.ok || { ...other.problem, requestId: undefined });
    expect(new Set(problems.map((problem) => JSON.stringify(problem))).size).toBe(1);
    await free();
    expect(await logIn(editor.username)).toMatchObject({ ok: true });
    expect((await logIn(operator.username)) as object).toMatchObject({ ok: true, value: { expiresIn: 300 } });
  });

  test(`${engine}: D04: accounts that are disabled, or no operator any more, stay refused on a full disk, and so do ended sessions`, async () => {
    const [disabled, former, operator] = [await join(), await join(), await join()];
    const begun = await logIn(operator.username);
    if (!begun.ok) throw new Error(JSON.stringify(begun.problem));
    await operator.client.logout({ body: { refreshToken: begun.value.refreshToken } });
    await world.db
      .updateTable("users")
      .set({ disabled_at: world.clock.now() })
      .where("id", "=", disabled.userId)
      .execute();
    await world.db
      .updateTable("memberships")
      .set({ roles: ["VIEWER"] })
      .where("user_id", "=", former.userId)
      .execute();
    await fill();
    expect(await logIn(disabled.username)).toMatchObject(refusal);
    expect(await logIn(former.username)).toMatchObject(refusal);
    await expect(world.service.authenticate(begun.value.accessToken)).rejects.toThrow("session has ended");
    expect(await logIn(operator.username)).toMatchObject({ ok: true });
    await free();
  });

  test(`${engine}: D04: on a full disk five wrong passwords lock an account, twenty those of this process, and none from a known address`, async () => {
    const [operator, known, ...others] = await Promise.all(Array.from({ length: 6 }, () => join()));
    const token = await world.serviceToken("portal");
    const fromHome = () => world.logIn(known!.username, memberPassword, { "x-client-address": "192.0.2.1" }, token);
    expect(await fromHome()).toMatchObject({ ok: true });
    await fill();
    for (let tries = 0; tries < 5; tries++) await logIn(operator!.username, "wrong");
    expect(await logIn(operator!.username)).toMatchObject(refusal);
    for (const { username } of others) for (let tries = 0; tries < 4; tries++) await logIn(username, "wrong");
    expect(await logIn("admin", administratorPassword)).toMatchObject(refusal);
    expect(await fromHome()).toMatchObject({ ok: true });
    world.clock.advance(16 * 60_000);
    expect(await logIn(operator!.username)).toMatchObject({ ok: true });
    await free();
  });

  test(`${engine}: D04: on a full disk the app's code is verified after the password, and used once, also when there is space again`, async () => {
    const operator = await join();
    const begun = await operator.client.beginSecondFactor({ body: { currentPassword: memberPassword } });
    if (!begun.ok) throw new Error(JSON.stringify(begun.problem));
    const app = URI.parse(begun.value.uri) as TOTP;
    const codeNow = () => app.generate({ timestamp: world.clock.now().getTime() });
    const confirmed = await operator.client.confirmSecondFactor({ body: { code: codeNow() } });
    if (!confirmed.ok) throw new Error(JSON.stringify(confirmed.problem));
    world.clock.advance(30_000);
    await fill();
    const challenge = async () => {
      const result = await logIn(operator.username);
      if (result.ok || !result.problem.challenge) throw new Error("No second factor was asked for.");
      return result.problem.challenge;
    };
    const complete = (given: string, code: string) =>
      visitors.client.completeLogin({ body: { challenge: given, code } });
    const first = await challenge();
    const code = codeNow();
    expect(await complete(first, String((Number(code) + 1) % 1_000_000).padStart(6, "0"))).toMatchObject({
      status: 422,
    });
    expect(await complete(first, confirmed.value.recoveryCodes[0]!)).toMatchObject({
      status: 422,
      problem: { errors: [{ message: expect.stringContaining("recovery codes can't be used") }] },
    });
    const forged = `${first.slice(0, -2)}${first.endsWith("AA") ? "BB" : "AA"}`;
    expect(await complete(forged, code)).toMatchObject({ status: 401 });
    const challenges = [first, first, await challenge()];
    const parallel = await Promise.all(challenges.map((given) => complete(given, code)));
    const accepted = parallel.filter(({ ok }) => ok);
    expect(accepted).toMatchObject([{ value: { expiresIn: 300, refreshToken: "" } }]);
    const used = challenges[parallel.indexOf(accepted[0]!)]!;
    expect(await complete(used, code)).toMatchObject({ status: 401 });
    await free();
    expect(await complete(await challenge(), code)).toMatchObject({ status: 422 });
    world.clock.advance(30_000);
    expect(await complete(await challenge(), codeNow())).toMatchObject({ ok: true });
    world.clock.advance(30_000);
    await fill();
    const late = await challenge();
    for (let tries = 0; tries < 5; tries++) await complete(late, "000000");
    expect(await complete(late, codeNow())).toMatchObject(refusal);
    world.clock.advance(6 * 60_000);
    expect(await complete(late, codeNow())).toMatchObject({ status: 401 });
    await free();
  });

  test(`${engine}: D04: on a full disk a passkey is verified after the password, once, and its counter has to grow`, async () => {
    const operator = await join();
    const begun = await operator.client.beginPasskey({ body: { currentPassword: memberPassword } });
    if (!begun.ok) throw new Error(JSON.stringify(begun.problem));
    const authenticator = createAuthenticator();
    const added = await operator.client.addPasskey({
      body: { name: "Key", credential: authenticator.create(begun.value) },
    });
    expect(added).toMatchObject({ ok: true });
    await fill();
    async function secondStep() {
      const result = await logIn(operator.username);
      if (result.ok) throw new Error("No second factor was asked for.");
      const challenge = result.problem.challenge!;
      const step = await visitors.client.beginSecondStep({ body: { challenge } });
      if (!step.ok || !step.value.passkey) throw new Error("No passkey was asked for.");
      return { challenge, options: step.value.passkey };
    }
    const [step, other] = [await secondStep(), await secondStep()];
    const used = authenticator.use(step.options);
    const complete = (challenge: string, credential = used) =>
      visitors.client.completePasskeyLogin({ body: { challenge, credential } });
    expect(await complete(other.challenge)).toMatchObject({ status: 422 });
    expect(await complete(step.challenge)).toMatchObject({ ok: true, value: { expiresIn: 300, refreshToken: "" } });
    expect(await complete(step.challenge)).toMatchObject({ ok: false });
    await free();
  });
}
