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
  const organizationId = await addOrganization(world, "Ours");
  const bossId = await addMember(world, organizationId, { username: "boss", roles: ["ADMIN"] });
  const boss = await signInAs(world, "boss");
  let people = 0;
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  async function joinMember(roles = ["VIEWER"]) {
    people += 1;
    const username = `person-${people}`;
    const userId = await addMember(world, organizationId, { username, roles });
    return { username, userId, params: { userId }, email: `${username}@example.com` };
  }

  /** A signed-in member with an authenticator app. */
  async function joinWithFactor(roles?: string[]) {
    const person = await joinMember(roles);
    const { client } = await signInAs(world, person.username);
    const begun = await client.beginSecondFactor({ body: { currentPassword: memberPassword } });
    if (!begun.ok) throw new Error(begun.problem.detail);
    const code = (URI.parse(begun.value.uri) as TOTP).generate({ timestamp: world.clock.now().getTime() });
    expect(await client.confirmSecondFactor({ body: { code } })).toMatchObject({ ok: true });
    return { ...person, client };
  }

  /** A program with the administrator's API token. */
  async function programOfBoss() {
    const made = await boss.client.createApiToken({ body: { name: "Script", scopes: ["users:manage"] } });
    if (!made.ok) throw new Error(made.problem.detail);
    const exchanged = await visitors.client.exchangeApiToken({ body: { token: made.value.token } });
    if (!exchanged.ok) throw new Error(exchanged.problem.detail);
    return world.connect({ token: exchanged.value.accessToken });
  }

  const toRecords = (userId: string) =>
    world.db
      .withTables<{ audit_records: { operation: string; before: unknown; after: unknown; resource_id: string } }>()
      .selectFrom("audit_records")
      .select(["operation", "before", "after"])
      .where("resource_id", "=", userId)
      .execute();

  test(`${engine.name}: A05: users cannot change their own email address here, which takes password and mailbox`, async () => {
    const own = { userId: bossId };
    expect(await boss.client.changeUser({ params: own, body: { email: "thief@example.com" } })).toMatchObject({
      status: 409,
      problem: { errors: [{ path: "email", message: expect.stringContaining("on your profile") }] },
    });
    const sameAgain = { fullName: "The Boss", email: "boss@example.com" };
    expect(await boss.client.changeUser({ params: own, body: sameAgain })).toMatchObject({
      value: { fullName: "The Boss", email: "boss@example.com" },
    });
  });

  test(`${engine.name}: A05: an address change by an administrator is reported to the old and the new mailbox`, async () => {
    const { params, username, email } = await joinMember();
    const given = visitors.freshEmail();
    const toOld = await visitors.getEmailAfter(email, /changed by an administrator$/, () =>
      boss.client.changeUser({ params, body: { email: given } }),
    );
    expect(toOld.text).toContain(`“${username}”`);
    expect(toOld.text).not.toContain(given);
    await visitors.emailsAreSent();
    const [toNew, ...more] = world.mail.emails.filter(({ to }) => to.address === given);
    expect([toNew?.subject, more]).toEqual(["Emails about your account are now sent to this address", []]);
    expect(toNew?.text).not.toContain(username);
    expect(await toRecords(params.userId)).toMatchObject([
      { operation: "changeUser", before: { email }, after: { email: given } },
    ]);
  });

  test(`${engine.name}: a refused or unchanged address sends no email`, async () => {
    const [one, other] = [await joinMember(), await joinMember()];
    const before = world.mail.emails.length;
    expect(await boss.client.changeUser({ params: one.params, body: { email: other.email } })).toMatchObject({
      status: 409,
    });
    const body = { email: one.email.toUpperCase(), fullName: "Same" };
    expect(await boss.client.changeUser({ params: one.params, body })).toMatchObject({ ok: true });
    await visitors.emailsAreSent();
    expect(world.mail.emails.length).toBe(before);
  });

  test(`${engine.name}: removing a lost second factor signs the member out, notifies them, and makes the password sufficient`, async () => {
    const { params, username, email, client } = await joinWithFactor();
    const begun = await world.logIn(username, memberPassword);
    expect(begun).toMatchObject({ problem: { code: "second_factor_required" } });
    expect(await boss.client.getUser({ params })).toMatchObject({ value: { secondFactor: true } });
    const message = await visitors.getEmailAfter(email, /switched off by an administrator$/, () =>
      boss.client.resetSecondFactor({ params }),
    );
    expect(message.text).toContain("An administrator of your organization");
    expect(await client.getOwnAccount()).toMatchObject({ status: 401 });
    const challenge = begun.ok ? "" : begun.problem.challenge!;
    expect(await visitors.client.completeLogin({ body: { challenge, code: "000000" } })).toMatchObject({ status: 401 });
    await signInAs(world, username);
    expect(await boss.client.getUser({ params })).toMatchObject({ value: { secondFactor: false } });
    expect(await toRecords(params.userId)).toContainEqual({
      ...{ operation: "resetSecondFactor", before: { enabled: true }, after: { enabled: false } },
    });
    expect(await boss.client.resetSecondFactor({ params })).toMatchObject({ status: 409 });
  });

  test(`${engine.name}: A03: users need the password to remove their own second factor, and the right to manage users to remove others'`, async () => {
    const admin = await joinWithFactor(["ADMIN"]);
    expect(await admin.client.resetSecondFactor({ params: admin.params })).toMatchObject({ status: 409 });
    const viewer = await joinWithFactor();
    expect(await viewer.client.resetSecondFactor({ params: admin.params })).toMatchObject({ status: 403 });
    const elsewhere = await addOrganization(world, "Theirs");
    await addMember(world, elsewhere, { username: `stranger-${people}`, roles: ["ADMIN"] });
    const stranger = await signInAs(world, `stranger-${people}`);
    expect(await stranger.client.resetSecondFactor({ params: admin.params })).toMatchObject({ status: 404 });
    expect(await boss.client.getUser({ params: admin.params })).toMatchObject({ value: { secondFactor: true } });
  });

  test(`${engine.name}: T04: an API token can neither delete its organization nor open an account`, async () => {
    const program = await programOfBoss();
    const { params } = await joinWithFactor();
    expect(await program.deleteOrganization({ body: { name: "Ours" } })).toMatchObject({ status: 403 });
    expect(await program.resetSecondFactor({ params })).toMatchObject({ status: 403 });
    expect(await program.changeUser({ params, body: { email: "thief@example.com" } })).toMatchObject({ status: 403 });
    expect(await program.changeUser({ params, body: { fullName: "Renamed" } })).toMatchObject({ ok: true });
    expect(await boss.client.getUser({ params })).toMatchObject({ value: { secondFactor: true } });
  });
}
