import { decodeJwt } from "jose";
import { afterAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { addMember, addOrganization, memberPassword, signInAs } from "../testing/members.ts";
import { createVisitors, tokenIn } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";

const newPassword = "violin gravel teapot orbit";
const hour = 60 * 60 * 1_000;

for (const engine of testEngines()) {
  const database = await engine.open();
  const world = await createSecurityWorld(database);
  const visitors = await createVisitors(world);
  const organizationId = await addOrganization(world);
  let people = 0;
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  /** A new user for each test, signed in. */
  async function joinMember() {
    people += 1;
    const username = `person-${people}`;
    const userId = await addMember(world, organizationId, { username });
    return { username, userId, email: `${username}@example.com`, ...(await signInAs(world, username)) };
  }
  type Person = Awaited<ReturnType<typeof joinMember>>;
  const changePassword = ({ client }: Person, currentPassword = memberPassword, password = newPassword) =>
    client.changeOwnPassword({ body: { currentPassword, password } });
  const askForEmail = ({ client }: Person, email: string, currentPassword = memberPassword) =>
    client.changeOwnEmail({ body: { email, currentPassword } });
  const confirm = (token: string) => visitors.client.confirmEmail({ body: { token } });
  const changeEmail = (person: Person, email: string) =>
    visitors.getEmailAfter(email, /^Confirm your new/, () => askForEmail(person, email));
  const getAccount = async ({ client }: Person) => {
    const result = await client.getOwnAccount();
    if (!result.ok) throw new Error(result.problem.detail);
    return result.value;
  };
  const toRecords = (person: Person) =>
    world.db
      .withTables<{
        audit_records: { operation: string; actor_id: string; resource_id: string; organization_id: string };
      }>()
      .selectFrom("audit_records")
      .select(["operation", "actor_id"])
      .where("resource_id", "=", person.userId)
      .where("organization_id", "=", organizationId)
      .execute();

  test(`${engine.name}: users change their own name, and fresh tokens carry it`, async () => {
    const person = await joinMember();
    const saved = await person.client.changeOwnAccount({ body: { fullName: "Ada King" } });
    expect(saved).toMatchObject({ value: { fullName: "Ada King", username: person.username, newEmail: null } });
    const fresh = await visitors.client.refresh({ body: { refreshToken: person.refreshToken } });
    const claims = fresh.ok && JSON.parse(Buffer.from(fresh.value.accessToken.split(".")[1]!, "base64url").toString());
    expect(claims).toMatchObject({ name: "Ada King" });
    expect(await toRecords(person)).toEqual([{ operation: "changeOwnAccount", actor_id: person.userId }]);
  });

  test(`${engine.name}: a time zone is chosen, carried by fresh tokens, and reset to the browser's`, async () => {
    const person = await joinMember();
    expect(await getAccount(person)).toMatchObject({ timeZone: null });
    const refused = await person.client.changeOwnAccount({ body: { timeZone: "Mars/Olympus" } });
    expect(refused).toMatchObject({ status: 422, problem: { errors: [{ path: "timeZone" }] } });
    await person.client.changeOwnAccount({ body: { timeZone: "Asia/Kolkata" } });
    const fullName = (await getAccount(person)).fullName;
    await person.client.changeOwnAccount({ body: { fullName } });
    expect(await getAccount(person)).toMatchObject({ timeZone: "Asia/Kolkata", fullName });
    const fresh = await visitors.client.refresh({ body: { refreshToken: person.refreshToken } });
    const refreshed = requireValue(fresh, "refresh");
    expect(decodeJwt(refreshed.accessToken)).toMatchObject({ zoneinfo: "Asia/Kolkata" });
    await person.client.changeOwnAccount({ body: { timeZone: null } });
    expect(await getAccount(person)).toMatchObject({ timeZone: null, fullName });
    const again = await visitors.client.refresh({ body: { refreshToken: refreshed.refreshToken } });
    expect(decodeJwt(requireValue(again, "refresh").accessToken)).not.toHaveProperty("zoneinfo");
    expect(await toRecords(person)).toHaveLength(3);
  });

  test(`${engine.name}: a name and a time zone that are changed at the same time are both changed`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await joinMember();
      await Promise.all([
        person.client.changeOwnAccount({ body: { timeZone: "Asia/Kolkata" } }),
        person.client.changeOwnAccount({ body: { fullName: "Grace Hopper" } }),
      ]);
      expect(await getAccount(person)).toMatchObject({ timeZone: "Asia/Kolkata", fullName: "Grace Hopper" });
    }
  });

  test(`${engine.name}: A03: a new password ends the other sessions but not this one, and its owner is notified`, async () => {
    const person = await joinMember();
    const other = await signInAs(world, person.username);
    const email = await visitors.getEmailAfter(person.email, /^Your password was changed$/, () =>
      changePassword(person),
    );
    expect(email.text).toContain(`“${person.username}”`);
    expect(await other.client.getOwnAccount()).toMatchObject({ status: 401 });
    expect(await person.client.getOwnAccount()).toMatchObject({ ok: true });
    expect(await world.logIn(person.username, newPassword)).toMatchObject({ ok: true });
    expect(await world.logIn(person.username, memberPassword)).toMatchObject({ status: 401 });
    expect(JSON.stringify(await toRecords(person))).toContain("changeOwnPassword");
  });

  test(`${engine.name}: a wrong or weak password is reported at its field and changes nothing`, async () => {
    const person = await joinMember();
    const wrong = await changePassword(person, "not the password");
    expect(wrong).toMatchObject({ status: 422, problem: { errors: [{ path: "currentPassword" }] } });
    const weak = await changePassword(person, memberPassword, "password12345678");
    expect(weak).toMatchObject({ status: 422, problem: { errors: [{ path: "password" }] } });
    expect(await world.logIn(person.username, memberPassword)).toMatchObject({ ok: true });
    expect(await toRecords(person)).toEqual([]);
  });

  test(`${engine.name}: guessing the password in an unattended browser is limited to ten tries`, async () => {
    const person = await joinMember();
    for (let guess = 0; guess < 10; guess += 1) {
      expect(await changePassword(person, `guess ${guess}`)).toMatchObject({ status: 422 });
    }
    expect(await changePassword(person)).toMatchObject({ status: 429 });
    expect(await askForEmail(person, "elsewhere@example.com")).toMatchObject({ status: 429 });
  });

  test(`${engine.name}: an address is changed by the email sent to it, once, and the old address is notified`, async () => {
    const person = await joinMember();
    const email = `new-${person.email}`;
    const message = await changeEmail(person, email);
    expect(message.text).not.toContain(person.username.concat("”"));
    expect(await getAccount(person)).toMatchObject({ email: person.email, newEmail: { email } });
    const notice = await visitors.getEmailAfter(person.email, /^Your email address was changed$/, () =>
      confirm(tokenIn(message)),
    );
    expect(notice.text).not.toContain(email);
    expect(await getAccount(person)).toMatchObject({ email, newEmail: null });
    expect(await confirm(tokenIn(message))).toMatchObject({ status: 404 });
    expect(await world.logIn(email, memberPassword)).toMatchObject({ ok: true });
    expect(await world.logIn(person.email, memberPassword)).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: a link is invalid after a newer one, after cancellation and after a day`, async () => {
    const person = await joinMember();
    const first = tokenIn(await changeEmail(person, `first-${person.email}`));
    const second = tokenIn(await changeEmail(person, `second-${person.email}`));
    expect(await confirm(first)).toMatchObject({ status: 404 });
    expect(await person.client.cancelOwnEmail()).toMatchObject({ status: 204 });
    expect(await getAccount(person)).toMatchObject({ newEmail: null });
    expect(await confirm(second)).toMatchObject({ status: 404 });
    const third = tokenIn(await changeEmail(person, `third-${person.email}`));
    world.clock.advance(24 * hour + 1);
    expect(await confirm(third)).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: A05: a request does not reveal whether another account has the address, except to its mailbox`, async () => {
    const [person, owner] = [await joinMember(), await joinMember()];
    const results: unknown[] = [];
    const email = await visitors.getEmailAfter(owner.email, /^Your email address stays/, async () => {
      const result = await askForEmail(person, owner.email);
      results.push(result.status);
      return result;
    });
    expect(email.text).not.toContain("token=");
    const free = await askForEmail(person, `free-${person.email}`);
    expect([...results, free.status]).toEqual([202, 202]);
    expect(await getAccount(person)).toMatchObject({ newEmail: { email: `free-${person.email}` } });
  });

  test(`${engine.name}: of two accounts that request one address, the first to confirm gets it`, async () => {
    const [one, other] = [await joinMember(), await joinMember()];
    const email = `both-${one.email}`;
    const tokens = [tokenIn(await changeEmail(one, email)), tokenIn(await changeEmail(other, email))];
    expect(await confirm(tokens[0]!)).toMatchObject({ status: 204 });
    expect(await confirm(tokens[1]!)).toMatchObject({ status: 409 });
    expect(await getAccount(other)).toMatchObject({ email: other.email });
  });

  test(`${engine.name}: five address changes a day can be requested, and a wrong password requests none`, async () => {
    const person = await joinMember();
    expect(await askForEmail(person, "any@example.com", "wrong one")).toMatchObject({ status: 422 });
    for (let requested = 0; requested < 5; requested += 1) {
      expect(await askForEmail(person, `${requested}-${person.email}`)).toMatchObject({ status: 202 });
    }
    expect(await askForEmail(person, `6-${person.email}`)).toMatchObject({ status: 429 });
  });

  test(`${engine.name}: a link leads nowhere once the account is disabled, and a service has no account`, async () => {
    const person = await joinMember();
    const token = tokenIn(await changeEmail(person, `gone-${person.email}`));
    await world.db
      .updateTable("users")
      .set({ disabled_at: world.clock.now() })
      .where("id", "=", person.userId)
      .execute();
    expect(await confirm(token)).toMatchObject({ status: 404 });
    expect(await visitors.client.getOwnAccount()).toMatchObject({ status: 404 });
  });
}
