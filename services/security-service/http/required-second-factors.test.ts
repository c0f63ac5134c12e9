import { type TOTP, URI } from "otpauth";
import { afterAll, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { addMember, addOrganization, memberPassword, signInAs } from "../testing/members.ts";
import { createVisitors } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  const database = await engine.open();
  const world = await createSecurityWorld(database);
  const visitors = await createVisitors(world);
  let people = 0;
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  async function joinMember(organizationId: string, roles = ["EDITOR"]) {
    people += 1;
    const username = `person-${people}`;
    await addMember(world, organizationId, { username, roles });
    const { client, accessToken } = await signInAs(world, username);
    const body = { currentPassword: memberPassword };
    return {
      ...{ username, client },
      /** Scopes that the token of that first sign-in gives now. */
      scopes: async () => (await world.service.authenticate(accessToken)).scopes,
      async setUpFactor() {
        const begun = await client.beginSecondFactor({ body });
        if (!begun.ok) throw new Error(begun.problem.detail);
        const code = (URI.parse(begun.value.uri) as TOTP).generate({ timestamp: world.clock.now().getTime() });
        expect(await client.confirmSecondFactor({ body: { code } })).toMatchObject({ ok: true });
      },
      removeFactor: () => client.removeSecondFactor({ body }),
    };
  }
  type Person = Awaited<ReturnType<typeof joinMember>>;
  const require = ({ client }: Person, required = true) => client.requireSecondFactors({ body: { required } });

  async function anOrganization() {
    const organizationId = await addOrganization(world);
    const boss = await joinMember(organizationId, ["ADMIN"]);
    await boss.setUpFactor();
    return { organizationId, boss };
  }

  test(`${engine.name}: A07: a required second factor suspends the roles of members without one, at once`, async () => {
    const { organizationId, boss } = await anOrganization();
    const editor = await joinMember(organizationId);
    const elsewhere = await joinMember(await addOrganization(world));
    const made = await editor.client.createApiToken({ body: { name: "Nightly", scopes: ["apis:read"] } });
    const token = made.ok ? made.value.token : "";
    expect(await require(boss)).toMatchObject({ value: { requiresSecondFactor: true } });

    expect(await editor.scopes()).toEqual([]);
    expect(await elsewhere.scopes()).toContain("tests:write");
    expect(await boss.scopes()).toContain("users:manage");
    const again = await world.logIn(editor.username, memberPassword);
    expect(again).toMatchObject({ value: { roles: [], scopes: [], needsSecondFactor: true } });
    const exchanged = await visitors.client.exchangeApiToken({ body: { token } });
    const program = await world.service.authenticate(exchanged.ok ? exchanged.value.accessToken : "");
    expect(program.scopes).toEqual([]);
  });

  test(`${engine.name}: a member who sets up a second factor gets their rights back, and loses them without it`, async () => {
    const { organizationId, boss } = await anOrganization();
    const editor = await joinMember(organizationId);
    await require(boss);
    await editor.setUpFactor();
    expect(await editor.scopes()).toContain("tests:write");
    expect(await editor.removeFactor()).toMatchObject({ ok: true });
    expect(await editor.scopes()).toEqual([]);
    expect(await require(boss, false)).toMatchObject({ value: { requiresSecondFactor: false } });
    expect(await editor.scopes()).toContain("tests:write");
    expect(await world.logIn(editor.username, memberPassword)).toMatchObject({
      value: { roles: ["EDITOR"], needsSecondFactor: false },
    });
  });

  test(`${engine.name}: A07: until then only a user's own account is accessible, not the organization's data, and to no program`, async () => {
    const { organizationId, boss } = await anOrganization();
    const { client, setUpFactor } = await joinMember(organizationId);
    const made = await client.createApiToken({ body: { name: "Nightly", scopes: ["apis:read"] } });
    await require(boss);
    const exchanged = await visitors.client.exchangeApiToken({ body: { token: made.ok ? made.value.token : "" } });
    const program = world.connect({ token: exchanged.ok ? exchanged.value.accessToken : "" });
    const ofTheOrganization = (requesting: typeof client) =>
      Promise.all([
        requesting.listCredentials({ query: {} }),
        requesting.listDomains({ query: {} }),
        requesting.listAuthorizationConfigs({ query: {} }),
        requesting.listRoles(),
        requesting.createApiToken({ body: { name: "Another", scopes: ["apis:read"] } }),
      ]);
    for (const result of [...(await ofTheOrganization(client)), ...(await ofTheOrganization(program))]) {
      expect(result).toMatchObject({ status: 403 });
      expect(!result.ok && result.problem.detail).toContain("Your organization requires a second factor.");
    }
    const own = [client.getOwnAccount(), client.getSecondFactor(), client.listSessions({ query: {} })];
    for (const result of await Promise.all(own)) expect(result).toMatchObject({ ok: true });
    expect(await client.listApiTokens({ query: {} })).toMatchObject({ ok: true });
    await setUpFactor();
    for (const result of await ofTheOrganization(client)) expect(result).toMatchObject({ ok: true });
  });

  test(`${engine.name}: requiring it takes a person with a second factor who manages users, not a program`, async () => {
    const { organizationId, boss } = await anOrganization();
    const other = await joinMember(organizationId, ["ADMIN"]);
    expect(await require(other)).toMatchObject({ status: 409 });
    expect(await require(await joinMember(organizationId))).toMatchObject({ status: 403 });
    const made = await boss.client.createApiToken({ body: { name: "Script", scopes: ["users:manage"] } });
    const exchanged = await visitors.client.exchangeApiToken({ body: { token: made.ok ? made.value.token : "" } });
    const program = world.connect({ token: exchanged.ok ? exchanged.value.accessToken : "" });
    expect(await program.requireSecondFactors({ body: { required: true } })).toMatchObject({ status: 403 });
    expect(await other.scopes()).toContain("users:manage");
    expect(await require(boss)).toMatchObject({ ok: true });
    const records = await world.db
      .withTables<{ audit_records: { operation: string; organization_id: string; before: unknown; after: unknown } }>()
      .selectFrom("audit_records")
      .select(["before", "after"])
      .where("operation", "=", "requireSecondFactors")
      .where("organization_id", "=", organizationId)
      .execute();
    expect(records).toEqual([{ before: { requiresSecondFactor: false }, after: { requiresSecondFactor: true } }]);
  });
}
