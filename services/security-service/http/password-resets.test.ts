import { afterAll, beforeEach, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { createVisitors, goodPassword, subjects, tokenIn } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";

const minute = 60_000;
const newPassword = "violin gravel teapot orbit";

for (const engine of testEngines()) {
  const database = await engine.open();
  const world = await createSecurityWorld(database);
  const visitors = await createVisitors(world);
  const { client } = visitors;
  const email = "ada@example.com";
  await visitors.requireMember("ada");

  beforeEach(async () => {
    world.clock.advance(25 * 60 * minute);
    const { password_hash } = await world.db
      .selectFrom("users")
      .select("password_hash")
      .where("username_key", "=", "ada")
      .executeTakeFirstOrThrow();
    originalHash ??= password_hash;
    await world.db
      .updateTable("users")
      .set({ password_hash: originalHash, disabled_at: null })
      .where("username_key", "=", "ada")
      .execute();
  });
  let originalHash: string | undefined;
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  const requireToken = async () =>
    tokenIn(await visitors.getEmailAfter(email, subjects.passwordReset, () => visitors.askForReset(email)));
  const complete = (token: string, password = newPassword) =>
    client.completePasswordReset({ body: { token, password } });
  const requireSession = async () => {
    const result = await world.logIn("ada", goodPassword);
    if (!result.ok) throw new Error(result.problem.detail);
    return result.value;
  };

  test(`${engine.name}: a mailed link sets a new password, and the old one stops working`, async () => {
    const message = await visitors.getEmailAfter(email, subjects.passwordReset, () =>
      visitors.askForReset("ADA@example.com"),
    );
    expect(message.text).toContain("https://portal.example.com/password-reset/complete?token=");
    expect(message.text).toContain("“ada”");
    expect(await complete(tokenIn(message))).toMatchObject({ status: 204 });
    expect(await world.logIn("ada", newPassword)).toMatchObject({ ok: true });
    expect(await world.logIn("ada", goodPassword)).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: A03: a new password ends every session of the account at once, and no other's`, async () => {
    const sessions = [await requireSession(), await requireSession()];
    const other = await world.requireLogin();
    await complete(await requireToken());
    for (const { refreshToken } of sessions)
      expect(await client.refresh({ body: { refreshToken } })).toMatchObject({ status: 401 });
    expect(await client.refresh({ body: { refreshToken: other.refreshToken } })).toMatchObject({ ok: true });
    const ended = await world.db
      .selectFrom("sessions")
      .select("ended_because")
      .where("ended_at", "is not", null)
      .execute();
    expect(ended.some((session) => session.ended_because === "password_reset")).toBe(true);
  });

  test(`${engine.name}: the owner is notified that the password was changed`, async () => {
    const token = await requireToken();
    const message = await visitors.getEmailAfter(email, subjects.passwordChanged, () => complete(token));
    expect(message.text).toContain("“ada”");
  });

  test(`${engine.name}: T06: of ten completions at once one sets its password, and the account's other links are invalidated`, async () => {
    const [token, other] = [await requireToken(), await requireToken()];
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, number) => complete(token, `${newPassword} ${number}`)),
    );
    expect(results.map((result) => result.status).sort()).toEqual([204, ...Array(9).fill(404)]);
    const winner = results.findIndex((result) => result.ok);
    expect(await world.logIn("ada", `${newPassword} ${winner}`)).toMatchObject({ ok: true });
    expect(await complete(other)).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: T06: of five links of one account at once one sets its password, without a deadlock`, async () => {
    const tokens: string[] = [];
    for (let times = 0; times < 5; times += 1) tokens.push(await requireToken());
    const results = await Promise.all([...tokens, ...tokens].map((token) => complete(token)));
    expect(results.map((result) => result.status).sort()).toEqual([204, ...Array(9).fill(404)]);
  });

  test(`${engine.name}: a link expires after thirty minutes, and a link of another purpose sets no password`, async () => {
    const token = await requireToken();
    const registration = await visitors.requireRegistration(visitors.freshEmail());
    expect(await complete(registration.token)).toMatchObject({ status: 404 });
    world.clock.advance(30 * minute);
    expect(await complete(token)).toMatchObject({ status: 404 });
    expect(await complete("guessed")).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: a password that is short, common or derived from the account's names is refused and uses no link`, async () => {
    const token = await requireToken();
    for (const password of ["short", "password password", "ada@example.com ada"])
      expect(await complete(token, password)).toMatchObject({
        status: 422,
        problem: { errors: [{ path: "password" }] },
      });
    expect(await complete(token)).toMatchObject({ status: 204 });
  });

  test(`${engine.name}: a disabled account gets no email, and an earlier link sets nothing`, async () => {
    const token = await requireToken();
    await world.db.updateTable("users").set({ disabled_at: new Date() }).where("username_key", "=", "ada").execute();
    await visitors.emailsAreSent();
    const before = world.mail.emails.length;
    expect(await visitors.askForReset(email)).toMatchObject({ status: 202, value: { email } });
    expect(await complete(token)).toMatchObject({ status: 404 });
    await visitors.emailsAreSent();
    expect(world.mail.emails).toHaveLength(before);
  });

  test(`${engine.name}: a link mailed to the account's previous address is invalid`, async () => {
    const token = await requireToken();
    const rename = (address: string) =>
      world.db
        .updateTable("users")
        .set({ email: address, email_key: address })
        .where("username_key", "=", "ada")
        .execute();
    await rename("lovelace@example.com");
    expect(await complete(token)).toMatchObject({ status: 404 });
    await rename(email);
  });

  test(`${engine.name}: one address gets at most five emails an hour, registrations and resets combined`, async () => {
    await visitors.emailsAreSent();
    const before = world.mail.emails.length;
    for (let times = 0; times < 4; times += 1) {
      expect(await visitors.askForReset(email)).toMatchObject({ status: 202 });
      expect(await visitors.register({ email })).toMatchObject({ status: 202 });
    }
    await visitors.emailsAreSent();
    expect(world.mail.emails.slice(before).filter((message) => message.to.address === email)).toHaveLength(5);
  });
}
