import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../kit/database/database.ts";
import { testEngines } from "../kit/testing/databases.ts";
import { createVisitors, subjects } from "./testing/visitors.ts";
import { administratorPassword, createSecurityWorld } from "./testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;

  beforeAll(async () => {
    database = await engine.open();
  });
  afterAll(() => database.close());

  test(`${engine.name}: three replicas that start at once create one administrator, one organization and one signing key`, async () => {
    const generated: string[] = [];
    const administrator = { username: "Root", onGenerated: (password: string) => void generated.push(password) };
    const worlds = await Promise.all([1, 2, 3].map(() => createSecurityWorld(database, { administrator })));
    const [first, second, third] = worlds;
    if (!first || !second || !third) throw new Error("not started");
    expect(generated).toHaveLength(1);
    for (const table of ["users", "organizations", "memberships", "signing_keys"] as const) {
      expect(await first.db.selectFrom(table).selectAll().execute()).toHaveLength(1);
    }
    const signedIn = await second.logIn("root", generated[0] ?? "");
    if (!signedIn.ok) throw new Error(signedIn.problem.detail);
    expect(await third.service.authenticate(signedIn.value.accessToken)).toMatchObject({ username: "Root" });
    for (const world of worlds) await world.stop();
  });

  test(`${engine.name}: a later start changes neither password nor key, whatever its configuration`, async () => {
    let reported = 0;
    const administrator = { username: "root", password: "another password", onGenerated: () => void reported++ };
    const world = await createSecurityWorld(database, { administrator });
    expect(await world.logIn("root", "another password")).toMatchObject({ status: 401 });
    expect(await world.db.selectFrom("signing_keys").selectAll().execute()).toHaveLength(1);
    expect(reported).toBe(0);
    await world.stop();
  });

  test(`${engine.name}: with another SECRETS_KEY the start fails and says why`, async () => {
    await expect(createSecurityWorld(database, { secretsKey: "another" })).rejects.toThrow("another SECRETS_KEY");
  });

  test(`${engine.name}: without a way to store the generated password, no account is created`, async () => {
    const empty = await engine.open();
    const failing = () => Promise.reject(new Error("the data folder is full"));
    await expect(
      createSecurityWorld(empty, { administrator: { username: "root", onGenerated: failing } }),
    ).rejects.toThrow("full");
    await expect(createSecurityWorld(empty, { administrator: { username: "root" } })).rejects.toThrow(/password/);
    const world = await createSecurityWorld(empty);
    expect(await world.logIn("Admin", "correct horse battery staple")).toMatchObject({ ok: true });
    await world.stop();
    await empty.close();
  });

  test(`${engine.name}: the first administrator gets the configured address, and a password reset is mailed there`, async () => {
    const empty = await engine.open();
    const email = "Root@example.com";
    const administrator = { username: "root", password: administratorPassword, email };
    const world = await createSecurityWorld(empty, { administrator });
    const visitors = await createVisitors(world);
    const message = await visitors.getEmailAfter(email, subjects.passwordReset, () =>
      visitors.askForReset("root@example.com"),
    );
    expect(message.text).toContain("“root”");
    await world.stop();
    await empty.close();
  });
}
