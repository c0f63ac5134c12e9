import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { addMember, addOrganization, signInAs } from "../testing/members.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;
  let organizationId: string;
  let others: string;
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
    others = await addOrganization(world, "Others");
    annaId = await addMember(world, organizationId, { username: "anna", roles: ["ADMIN"], fullName: "Anna Arendt" });
    anna = await signInAs(world, "anna");
  });

  const withoutRequestId = (result: object) => JSON.stringify(result).replace(/"requestId":"[^"]*"/, "");
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

  test(`${engine.name}: an organization's users are listed by username, page by page, without other organizations'`, async () => {
    for (const username of ["Zoe", "berta", "Cäsar", "dora"]) await addMember(world, organizationId, { username });
    await addMember(world, others, { username: "bob", roles: ["ADMIN"] });
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await anna.client.listUsers({ query: { limit: 2, ...(cursor ? { cursor } : {}) } });
      if (!page.ok) throw new Error(page.problem.detail);
      expect(page.value.items.length).toBeLessThanOrEqual(2);
      names.push(...page.value.items.map((user) => user.username));
      cursor = page.value.nextCursor ?? undefined;
    } while (cursor);
    expect(names).toEqual(["anna", "berta", "Cäsar", "dora", "Zoe"]);
    expect(await anna.client.listUsers({ query: { cursor: "nonsense" } })).toMatchObject({ status: 400 });
  });

  test(`${engine.name}: users are found by username, name and email address, and pattern characters are literal`, async () => {
    await addMember(world, organizationId, { username: "berta", fullName: "Bertha Benz", email: "b@cars.example" });
    await addMember(world, others, { username: "bertold", fullName: "Bertold Brecht" });
    const find = async (query: string) => {
      const page = await anna.client.listUsers({ query: { query } });
      return page.ok ? page.value.items.map((user) => user.username) : page.status;
    };
    expect(await find("BERT")).toEqual(["berta"]);
    expect(await find("Benz")).toEqual(["berta"]);
    expect(await find("cars.ex")).toEqual(["berta"]);
    expect(await find("benz b@cars")).toEqual(["berta"]);
    expect(await find("benz arendt")).toEqual([]);
    expect(await find("%")).toEqual([]);
    expect(await find("n_a")).toEqual([]);
    expect(await find("'|'x:* & !\\0")).toEqual([]);
    // Found by their current names.
    const [berta] = (await world.db.selectFrom("users").select("id").where("username_key", "=", "berta").execute())!;
    await world.db.updateTable("users").set({ full_name: "Cäcilie Ångström" }).where("id", "=", berta!.id).execute();
    expect(await find("benz")).toEqual([]);
    expect(await find("cäci ÅNG")).toEqual(["berta"]);
  });

  test(`${engine.name}: users are filtered by role and status, combined with search and pages`, async () => {
    const members = ["berta", "clara", "dora", "emma"];
    for (const username of members) await addMember(world, organizationId, { username, roles: ["EDITOR"] });
    await addMember(world, others, { username: "edna", roles: ["EDITOR"] });
    const find = async (query: object) => {
      const page = await anna.client.listUsers({ query });
      return page.ok ? page.value.items.map((user) => user.username) : page.status;
    };
    const clara = await world.db.selectFrom("users").select("id").where("username_key", "=", "clara").execute();
    const params = { userId: clara[0]!.id };
    await anna.client.addUserRoles({ params, body: ["ADMIN"] });
    expect(await find({ role: "EDITOR" })).toEqual(members);
    expect(await find({ role: "ADMIN" })).toEqual(["anna", "clara"]);
    expect(await find({ role: "SYSTEM_ADMIN" })).toEqual([]);
    await anna.client.changeUser({ params, body: { disabled: true } });
    expect(await find({ state: "disabled" })).toEqual(["clara"]);
    expect(await find({ role: "ADMIN", state: "enabled" })).toEqual(["anna"]);
    expect(await find({ role: "EDITOR", query: "d" })).toEqual(["dora"]);
    const first = await anna.client.listUsers({ query: { role: "EDITOR", limit: 3 } });
    if (!first.ok) throw new Error(first.problem.detail);
    expect(await find({ role: "EDITOR", limit: 3, cursor: first.value.nextCursor })).toEqual(["emma"]);
    expect(await find({ role: "OWNER" })).toBe(400);
  });

  test(`${engine.name}: fields missing from a change of a user are unchanged`, async () => {
    const bertaId = await addMember(world, organizationId, { username: "berta", email: "" });
    const params = { userId: bertaId };
    expect(await anna.client.changeUser({ params, body: { disabled: true } })).toMatchObject({
      value: { fullName: "berta", email: "", disabled: true },
    });
    expect(await anna.client.changeUser({ params, body: { fullName: "Berta" } })).toMatchObject({
      value: { fullName: "Berta", email: "", disabled: true },
    });
  });

  test(`${engine.name}: A03: an administrator sees where a user is signed in, and signs them out everywhere at once`, async () => {
    const bertaId = await addMember(world, organizationId, { username: "berta" });
    const params = { userId: bertaId };
    const [berta] = [await signInAs(world, "berta"), await signInAs(world, "berta")];
    const sessions = () => anna.client.listUserSessions({ params, query: {} });
    expect(await sessions()).toMatchObject({ value: { items: [{ current: false }, { current: false }] } });
    expect(await anna.client.listUserSessions({ params: { userId: annaId }, query: {} })).toMatchObject({
      value: { items: [{ current: true }] },
    });
    expect(await anna.client.endUserSessions({ params })).toMatchObject({ status: 204 });
    expect(await sessions()).toMatchObject({ value: { items: [] } });
    expect(await berta.client.listSessions({ query: {} })).toMatchObject({ status: 401 });
    expect(await world.connect().refresh({ body: { refreshToken: berta.refreshToken } })).toMatchObject({
      status: 401,
    });
    await signInAs(world, "berta");
  });

  test(`${engine.name}: a user is returned with roles and status, and without any trace of the password`, async () => {
    const result = await anna.client.getUser({ params: { userId: annaId } });
    expect(result).toMatchObject({
      ok: true,
      value: {
        id: annaId,
        username: "anna",
        fullName: "Anna Arendt",
        email: "anna@example.com",
        roles: ["ADMIN"],
        disabled: false,
      },
    });
    if (result.ok)
      expect(Object.keys(result.value).sort()).toEqual([
        "createdAt",
        "disabled",
        "email",
        "fullName",
        "id",
        "roles",
        "secondFactor",
        "timeZone",
        "username",
      ]);
  });

  test(`${engine.name}: name and address are changed, and no other user can take the address`, async () => {
    const bertaId = await addMember(world, organizationId, { username: "berta" });
    const change = changed({ fullName: "  Berta B. ", email: "Berta@New.example" });
    expect(await anna.client.changeUser({ params: { userId: bertaId }, body: change })).toMatchObject({
      ok: true,
      value: { fullName: "Berta B.", email: "Berta@New.example" },
    });
    expect(await anna.client.getUser({ params: { userId: bertaId } })).toMatchObject({
      value: { fullName: "Berta B.", email: "Berta@New.example" },
    });
    const params = { userId: await addMember(world, organizationId, { username: "clara" }) };
    const taken = changed({ email: "berta@new.EXAMPLE" });
    expect(await anna.client.changeUser({ params, body: taken })).toMatchObject({
      ...{ status: 409, problem: { errors: [{ path: "email", message: "Another account has this email address." }] } },
    });
    expect(
      await anna.client.changeUser({
        params,
        body: changed({ email: "no address", fullName: " " }),
      }),
    ).toMatchObject({ status: 422, problem: { errors: [{ path: "fullName" }, { path: "email" }] } });
  });

  test(`${engine.name}: A05: giving a user one address after another does not reveal which addresses have accounts`, async () => {
    const params = { userId: await addMember(world, organizationId, { username: "berta" }) };
    const statuses = [];
    for (let number = 0; number < 21; number += 1) {
      const body = changed({ email: number % 2 ? `berta${number}@example.com` : "unknown@example.com" });
      statuses.push((await anna.client.changeUser({ params, body })).status);
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    const same = changed({ email: "BERTA19@example.com", fullName: "Berta" });
    expect(await anna.client.changeUser({ params, body: same })).toMatchObject({ status: 200 });
  });

  test(`${engine.name}: a mailed link for a new password is invalid once the account's address changes`, async () => {
    const bertaId = await addMember(world, organizationId, { username: "berta" });
    const link = {
      id: uuidv7(),
      token_hash: uuidv7(),
      purpose: "password_reset" as const,
      subject_id: bertaId,
      email: "berta@example.com",
      created_at: world.clock.now(),
      expires_at: new Date(world.clock.now().getTime() + 60_000),
      used_at: null,
    };
    await world.db.insertInto("mailed_links").values(link).execute();
    const body = changed({ email: "new@example.com" });
    expect(await anna.client.changeUser({ params: { userId: bertaId }, body })).toMatchObject({ ok: true });
    const stored = await world.db.selectFrom("mailed_links").selectAll().where("id", "=", link.id).executeTakeFirst();
    expect(stored?.used_at).not.toBeNull();
  });

  test(`${engine.name}: A03: a disabled user's sessions end at once and the password is refused until the user is enabled again`, async () => {
    const bertaId = await addMember(world, organizationId, { username: "berta" });
    const berta = await signInAs(world, "berta");
    const params = { userId: bertaId };
    const body = changed({ email: "berta@example.com", disabled: true });
    expect(await anna.client.changeUser({ params, body })).toMatchObject({ ok: true, value: { disabled: true } });
    const refreshed = await world.connect().refresh({ body: { refreshToken: berta.refreshToken } });
    expect(refreshed).toMatchObject({ status: 401 });
    await expect(signInAs(world, "berta")).rejects.toThrow("refused");
    await anna.client.changeUser({ params, body: { ...body, disabled: false } });
    await signInAs(world, "berta");
    // Enabling the user does not restore ended sessions.
    expect(await world.connect().refresh({ body: { refreshToken: berta.refreshToken } })).toMatchObject({
      status: 401,
    });
  });

  test(`${engine.name}: users cannot disable their own account`, async () => {
    await addMember(world, organizationId, { username: "berta", roles: ["ADMIN"] });
    const body = changed({ disabled: true });
    expect(await anna.client.changeUser({ params: { userId: annaId }, body })).toMatchObject({
      status: 409,
      problem: { detail: expect.stringContaining("your own account") },
    });
  });

  test(`${engine.name}: T01: another organization's user gets the response of a missing one`, async () => {
    const strangerId = await addMember(world, others, { username: "stranger", fullName: "marker of others" });
    const calls = [
      (params: { userId: string }) => anna.client.getUser({ params }),
      (params: { userId: string }) => anna.client.changeUser({ params, body: changed() }),
      (params: { userId: string }) => anna.client.listUserSessions({ params, query: {} }),
      (params: { userId: string }) => anna.client.endUserSessions({ params }),
      (params: { userId: string }) => anna.client.resetSecondFactor({ params }),
      (params: { userId: string }) => anna.client.listUserRoles({ params }),
      (params: { userId: string }) => anna.client.addUserRoles({ params, body: ["ADMIN"] }),
      (params: { userId: string }) => anna.client.removeUserRoles({ params, body: ["VIEWER"] }),
    ];
    for (const call of calls) {
      const theirs = await call({ userId: strangerId });
      expect(theirs).toMatchObject({ status: 404 });
      expect(withoutRequestId(theirs)).toBe(withoutRequestId(await call({ userId: uuidv7() })));
    }
    expect(await getRoles(strangerId)).toEqual(["VIEWER"]);
    const stored = await world.db.selectFrom("users").selectAll().where("id", "=", strangerId).executeTakeFirst();
    expect(stored).toMatchObject({ full_name: "marker of others", disabled_at: null });
  });

  test(`${engine.name}: only user managers see or change users, and every signed-in user sees the available roles`, async () => {
    await addMember(world, organizationId, { username: "viewer" });
    const viewer = await signInAs(world, "viewer");
    const params = { userId: annaId };
    expect(await viewer.client.listUsers({ query: {} })).toMatchObject({ status: 403 });
    expect(await viewer.client.getUser({ params })).toMatchObject({ status: 403 });
    expect(await viewer.client.changeUser({ params, body: changed() })).toMatchObject({ status: 403 });
    expect(await viewer.client.addUserRoles({ params, body: ["ADMIN"] })).toMatchObject({ status: 403 });
    expect(await viewer.client.listUserSessions({ params, query: {} })).toMatchObject({ status: 403 });
    expect(await viewer.client.endUserSessions({ params })).toMatchObject({ status: 403 });
    expect(await viewer.client.resetSecondFactor({ params })).toMatchObject({ status: 403 });
    expect(await world.connect().listUsers({ query: {} })).toMatchObject({ status: 401 });
    expect(await world.connect().listRoles()).toMatchObject({ status: 401 });
    const roles = await viewer.client.listRoles();
    if (!roles.ok) throw new Error(roles.problem.detail);
    expect(roles.value.items.map((role) => role.name)).toEqual(["ADMIN", "EDITOR", "VIEWER"]);
    expect(roles.value.items.at(-1)?.scopes).toEqual(["apis:read", "tests:read"]);
    expect(await anna.client.getUser({ params: { userId: "1" } })).toMatchObject({ status: 400 });
  });
}
