import { type TOTP, URI } from "otpauth";
import { afterAll, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { addMember, addOrganization, memberPassword, signInAs } from "../testing/members.ts";
import { createVisitors } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";

const step = 30_000;

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

  /** A signed-in user and the codes of their app. */
  async function joinMember() {
    people += 1;
    const username = `person-${people}`;
    const userId = await addMember(world, organizationId, { username });
    const { client } = await signInAs(world, username);
    let app: TOTP | undefined;
    const codeNow = (later = 0) => app!.generate({ timestamp: world.clock.now().getTime() + later });
    async function begin() {
      const begun = await client.beginSecondFactor({ body: { currentPassword: memberPassword } });
      if (!begun.ok) throw new Error(JSON.stringify(begun.problem));
      app = URI.parse(begun.value.uri) as TOTP;
      return app;
    }
    const confirm = (code = codeNow()) => client.confirmSecondFactor({ body: { code } });
    /** With its recovery codes; the next code is that of another time step. */
    async function enable(): Promise<string[]> {
      await begin();
      const confirmed = await confirm();
      if (!confirmed.ok) throw new Error(JSON.stringify(confirmed.problem));
      world.clock.advance(step);
      return confirmed.value.recoveryCodes;
    }
    return { username, email: `${username}@example.com`, userId, client, begin, confirm, enable, codeNow };
  }

  async function getChallenge({ username }: { username: string }): Promise<string> {
    const result = await world.logIn(username, memberPassword);
    if (result.ok) throw new Error("No second factor was asked for.");
    expect(result).toMatchObject({ status: 401, problem: { code: "second_factor_required" } });
    return result.problem.challenge!;
  }
  const complete = (challenge: string, code: string) => visitors.client.completeLogin({ body: { challenge, code } });
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

  test(`${engine.name}: once confirmed, signing in requires the app's code after the password`, async () => {
    const person = await joinMember();
    await person.begin();
    expect(await world.logIn(person.username, memberPassword)).toMatchObject({ ok: true });
    expect(await person.confirm(wrong(person.codeNow()))).toMatchObject({ status: 422 });
    const email = await visitors.getEmailAfter(person.email, /switched on$/, () => person.confirm());
    expect(email.text).toContain("after the password");
    world.clock.advance(step);
    const challenge = await getChallenge(person);
    expect(await complete(challenge, wrong(person.codeNow()))).toMatchObject({ status: 422 });
    const signedIn = await complete(challenge, person.codeNow());
    expect(signedIn).toMatchObject({ ok: true });
    const { client } = { client: world.connect({ token: signedIn.ok ? signedIn.value.accessToken : "" }) };
    expect(await client.getSecondFactor()).toMatchObject({ value: { enabled: true, recoveryCodesLeft: 10 } });
    expect(await world.logIn(person.username, "wrong password")).toMatchObject({
      problem: { code: "invalid_credentials" },
    });
  });

  test(`${engine.name}: a code is valid once, also for eight sign-ins at once, and no older code after it`, async () => {
    const person = await joinMember();
    await person.enable();
    const code = person.codeNow();
    const older = person.codeNow(-step);
    const challenges = await Promise.all(Array.from({ length: 8 }, () => getChallenge(person)));
    const results = await Promise.all(challenges.map((challenge) => complete(challenge, code)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await complete(await getChallenge(person), older)).toMatchObject({ status: 422 });
    world.clock.advance(step);
    expect(await complete(await getChallenge(person), person.codeNow())).toMatchObject({ ok: true });
  });

  test(`${engine.name}: the code that confirmed the app can't be used to sign in`, async () => {
    const person = await joinMember();
    await person.begin();
    const code = person.codeNow();
    await person.confirm(code);
    expect(await complete(await getChallenge(person), code)).toMatchObject({ status: 422 });
  });

  test(`${engine.name}: a recovery code signs in once, and its owner is notified`, async () => {
    const person = await joinMember();
    const [first = "", second = ""] = await person.enable();
    const challenge = await getChallenge(person);
    const email = await visitors.getEmailAfter(person.email, /recovery code/, () =>
      complete(challenge, ` ${first.toUpperCase().replace("-", " ")} `),
    );
    expect(email.text).not.toContain(first);
    expect(await complete(await getChallenge(person), first)).toMatchObject({ status: 422 });
    expect(await complete(await getChallenge(person), second)).toMatchObject({ ok: true });
    expect(await person.client.getSecondFactor()).toMatchObject({ value: { recoveryCodesLeft: 8 } });
  });

  test(`${engine.name}: new recovery codes invalidate the previous ones`, async () => {
    const person = await joinMember();
    const [old = ""] = await person.enable();
    const renewed = await person.client.renewRecoveryCodes({ body: { currentPassword: memberPassword } });
    const [fresh = ""] = renewed.ok ? renewed.value.recoveryCodes : [];
    expect(await complete(await getChallenge(person), old)).toMatchObject({ status: 422 });
    expect(await complete(await getChallenge(person), fresh)).toMatchObject({ ok: true });
  });

  test(`${engine.name}: A04: ten guesses of codes are allowed per quarter of an hour, across all challenges`, async () => {
    const person = await joinMember();
    await person.enable();
    for (let guess = 0; guess < 10; guess += 1) {
      expect(await complete(await getChallenge(person), "no code")).toMatchObject({ status: 422 });
    }
    expect(await complete(await getChallenge(person), person.codeNow())).toMatchObject({ status: 429 });
    world.clock.advance(15 * 60_000 + 1);
    expect(await complete(await getChallenge(person), person.codeNow())).toMatchObject({ ok: true });
  });

  test(`${engine.name}: a challenge is valid for five minutes, once, and not after a new password`, async () => {
    const person = await joinMember();
    await person.enable();
    const late = await getChallenge(person);
    world.clock.advance(5 * 60_000 + 1);
    expect(await complete(late, person.codeNow())).toMatchObject({ status: 401 });
    const used = await getChallenge(person);
    await complete(used, person.codeNow());
    world.clock.advance(step);
    expect(await complete(used, person.codeNow())).toMatchObject({ status: 401 });
    const begun = await getChallenge(person);
    const body = { currentPassword: memberPassword, password: "violin gravel teapot orbit" };
    expect(await person.client.changeOwnPassword({ body })).toMatchObject({ status: 204 });
    expect(await complete(begun, person.codeNow())).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: switching it off or replacing it takes the password`, async () => {
    const person = await joinMember();
    await person.enable();
    const body = { currentPassword: memberPassword };
    expect(await person.client.beginSecondFactor({ body })).toMatchObject({ status: 409 });
    const { removeSecondFactor } = person.client;
    expect(await removeSecondFactor({ body: { currentPassword: "wrong one" } })).toMatchObject({ status: 422 });
    const email = await visitors.getEmailAfter(person.email, /switched off$/, () => removeSecondFactor({ body }));
    expect(email.text).toContain("only requires the password");
    expect(await world.logIn(person.username, memberPassword)).toMatchObject({ ok: true });
    expect(
      await world.db.selectFrom("recovery_codes").selectAll().where("user_id", "=", person.userId).execute(),
    ).toEqual([]);
  });

  test(`${engine.name}: neither database nor log contains the secret or recovery codes in plain text`, async () => {
    const person = await joinMember();
    const app = await person.begin();
    const confirmed = await person.confirm();
    const [code = ""] = confirmed.ok ? confirmed.value.recoveryCodes : [];
    const stored = [
      await world.db.selectFrom("second_factors").selectAll().execute(),
      await world.db.selectFrom("recovery_codes").selectAll().execute(),
      world.logged,
    ];
    const text = JSON.stringify(stored);
    expect([text.includes(app.secret.base32), text.includes(code), text.includes(code.replace("-", ""))]).toEqual([
      false,
      false,
      false,
    ]);
  });
}
