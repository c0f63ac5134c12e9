import { type TOTP, URI } from "otpauth";
import { afterAll, expect, test } from "vitest";
import type { BrowserOptions } from "#contracts/security-service/passkeys.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type Authenticator, createAuthenticator } from "../testing/authenticator.ts";
import { addMember, addOrganization, memberPassword, signInAs } from "../testing/members.ts";
import { createVisitors } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";

const minute = 60_000;

for (const engine of testEngines()) {
  const database = await engine.open();
  const world = await createSecurityWorld(database);
  const visitors = await createVisitors(world);
  const organizationId = await addOrganization(world);
  const body = { currentPassword: memberPassword };
  let people = 0;
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  async function joinMember(roles = ["EDITOR"], organization = organizationId) {
    people += 1;
    const username = `person-${people}`;
    const userId = await addMember(world, organization, { username, roles });
    const { client, accessToken } = await signInAs(world, username);
    async function options(): Promise<BrowserOptions> {
      const begun = await client.beginPasskey({ body });
      if (!begun.ok) throw new Error(JSON.stringify(begun.problem));
      return begun.value;
    }
    const send = (credential: ReturnType<Authenticator["create"]>, name = "Laptop") =>
      client.addPasskey({ body: { name, credential } });
    async function add(authenticator = createAuthenticator(), name?: string) {
      const added = await send(authenticator.create(await options()), name);
      if (!added.ok) throw new Error(JSON.stringify(added.problem));
      return { authenticator, ...added.value };
    }
    return { username, userId, client, accessToken, email: `${username}@example.com`, options, send, add };
  }
  type Person = Awaited<ReturnType<typeof joinMember>>;

  async function secondStep({ username }: Pick<Person, "username">) {
    const result = await world.logIn(username, memberPassword);
    if (result.ok) throw new Error("No second factor was asked for.");
    const challenge = result.problem.challenge!;
    const step = await visitors.client.beginSecondStep({ body: { challenge } });
    if (!step.ok) throw new Error(JSON.stringify(step.problem));
    return { challenge, app: step.value.app, options: step.value.passkey! };
  }
  const complete = (challenge: string, credential: ReturnType<Authenticator["use"]>) =>
    visitors.client.completePasskeyLogin({ body: { challenge, credential } });
  const refused = {
    status: 422,
    problem: { errors: [{ path: "credential", message: expect.stringContaining("not accepted") }] },
  };
  const toRecords = (passkeyId: string) =>
    world.db
      .withTables<{ audit_records: { operation: string; resource_id: string; after: unknown; id: string } }>()
      .selectFrom("audit_records")
      .select(["operation", "after"])
      .where("resource_id", "=", passkeyId)
      .orderBy("id")
      .execute();

  test(`${engine.name}: with a passkey, signing in requires it or a recovery code after the password`, async () => {
    const person = await joinMember();
    expect(await person.client.beginPasskey({ body: { currentPassword: "wrong" } })).toMatchObject({ status: 422 });
    const options = await person.options();
    expect(options).toMatchObject({
      rp: { id: "portal.example.com" },
      attestation: "none",
      authenticatorSelection: { userVerification: "preferred" },
    });
    const authenticator = createAuthenticator();
    const email = await visitors.getEmailAfter(person.email, /passkey was added/, () =>
      person.send(authenticator.create(options)),
    );
    expect(email.text).toContain("If this wasn't you");
    const { challenge, app, options: requested } = await secondStep(person);
    expect([app, requested.userVerification]).toEqual([false, "preferred"]);
    expect(requested.allowCredentials).toMatchObject([{ id: authenticator.id }]);
    const signedIn = await complete(challenge, authenticator.use(requested));
    expect(signedIn).toMatchObject({ ok: true, value: { roles: ["EDITOR"] } });
    const listed = await person.client.listPasskeys();
    expect(listed).toMatchObject({ value: { items: [{ name: "Laptop", lastUsedAt: expect.any(String) }] } });
    const passkeyId = listed.ok ? listed.value.items[0]!.id : "";
    expect(await toRecords(passkeyId)).toMatchObject([
      { operation: "addPasskey", after: { name: "Laptop" } },
      { operation: "completePasskeyLogin", after: { signIn: "accepted" } },
    ]);
    expect(await complete(challenge, authenticator.use(requested))).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: recovery codes are created with the first second factor, work for either, and are deleted with the last`, async () => {
    const person = await joinMember();
    const { recoveryCodes, passkey } = await person.add();
    expect(recoveryCodes).toHaveLength(10);
    expect((await person.add()).recoveryCodes).toEqual([]);
    const [code = ""] = recoveryCodes;
    const { challenge } = await secondStep(person);
    expect(await visitors.client.completeLogin({ body: { challenge, code } })).toMatchObject({ ok: true });
    const begun = await person.client.beginSecondFactor({ body });
    const app = URI.parse(begun.ok ? begun.value.uri : "") as TOTP;
    const displayed = app.generate({ timestamp: world.clock.now().getTime() });
    expect(await person.client.confirmSecondFactor({ body: { code: displayed } })).toMatchObject({ ok: true });
    expect(await secondStep(person)).toMatchObject({ app: true });
    expect(await person.client.removeSecondFactor({ body })).toMatchObject({ ok: true });
    expect(await person.client.getSecondFactor()).toMatchObject({
      value: { enabled: false, passkeys: 2, recoveryCodesLeft: 10 },
    });
    const params = { passkeyId: passkey.id };
    expect(await person.client.removePasskey({ params, body: { currentPassword: "wrong" } })).toMatchObject({
      status: 422,
    });
    const items = await person.client.listPasskeys();
    for (const { id } of items.ok ? items.value.items : []) {
      expect(await person.client.removePasskey({ params: { passkeyId: id }, body })).toMatchObject({ ok: true });
    }
    expect(await person.client.getSecondFactor()).toMatchObject({ value: { passkeys: 0, recoveryCodesLeft: 0 } });
    expect(await world.logIn(person.username, memberPassword)).toMatchObject({ ok: true });
  });

  test(`${engine.name}: a passkey is created for this portal, once, by the user who requested it`, async () => {
    const person = await joinMember();
    const other = await joinMember();
    const authenticator = createAuthenticator();
    const hostile: [string, (options: BrowserOptions) => ReturnType<Authenticator["create"]>][] = [
      [
        "another origin",
        (options) => authenticator.create(options, { origin: "https://portal.example.com.evil.test" }),
      ],
      ["another host", (options) => authenticator.create(options, { rpId: "evil.test" })],
      ["a challenge of its own", (options) => authenticator.create(options, { challenge: "c29tZXRoaW5n" })],
    ];
    for (const [, lie] of hostile) expect(await person.send(lie(await person.options()))).toMatchObject(refused);
    const ofOther = await other.options();
    expect(await person.send(authenticator.create(ofOther))).toMatchObject(refused);
    const late = await person.options();
    world.clock.advance(5 * minute + 1);
    expect(await person.send(authenticator.create(late))).toMatchObject(refused);
    const options = await person.options();
    expect(await person.send(authenticator.create(options))).toMatchObject({ status: 201 });
    expect(await person.send(createAuthenticator().create(options))).toMatchObject(refused);
    expect(await other.send(authenticator.create(await other.options()))).toMatchObject({
      status: 409,
      problem: { detail: "This passkey is in use already." },
    });
  });

  test(`${engine.name}: a sign-in refuses passkeys that are another user's, another origin's, replayed, late or forged`, async () => {
    const person = await joinMember();
    const { authenticator } = await person.add();
    const other = await joinMember();
    const ofOther = await other.add();
    const otherStep = await secondStep(other);
    const tries: [string, (step: Awaited<ReturnType<typeof secondStep>>) => ReturnType<Authenticator["use"]>][] = [
      ["another origin", ({ options }) => authenticator.use(options, { origin: "https://evil.test" })],
      ["another host", ({ options }) => authenticator.use(options, { rpId: "evil.test" })],
      ["somebody else's passkey", ({ options }) => ofOther.authenticator.use(options)],
      ["a question to somebody else", () => authenticator.use(otherStep.options)],
      [
        "somebody else's under this name",
        ({ options }) => ({ ...ofOther.authenticator.use(options), id: authenticator.id, rawId: authenticator.id }),
      ],
      [
        "a flipped signature",
        ({ options }) => {
          const used = authenticator.use(options);
          const signature = Buffer.from(used.response.signature, "base64url");
          signature[signature.length - 1]! ^= 1;
          return { ...used, response: { ...used.response, signature: signature.toString("base64url") } };
        },
      ],
    ];
    for (const [what, lie] of tries) {
      const step = await secondStep(person);
      const lied = lie(step);
      expect([what, await complete(step.challenge, lied)]).toMatchObject([what, refused]);
      world.clock.advance(20 * minute);
    }
    const first = await secondStep(person);
    const used = authenticator.use(first.options);
    expect(await complete(first.challenge, used)).toMatchObject({ ok: true });
    expect(await complete((await secondStep(person)).challenge, used)).toMatchObject(refused);
    const requested = await secondStep(person);
    const again = await visitors.client.beginSecondStep({ body: { challenge: requested.challenge } });
    expect(await complete(requested.challenge, authenticator.use(requested.options))).toMatchObject(refused);
    expect(again).toMatchObject({ ok: true });
    const late = await secondStep(person);
    world.clock.advance(5 * minute + 1);
    expect(await complete(late.challenge, authenticator.use(late.options))).toMatchObject({ status: 401 });
    await visitors.client.beginSecondStep({ body: { challenge: "made up" } }).then((result) => {
      expect(result).toMatchObject({ status: 401 });
    });
  });

  test(`${engine.name}: of eight sign-ins with one response one succeeds, and a decreasing counter is refused and recorded`, async () => {
    const person = await joinMember();
    const { authenticator, passkey } = await person.add();
    const { challenge, options } = await secondStep(person);
    const result = authenticator.use(options, { count: 40 });
    const results = await Promise.all(Array.from({ length: 8 }, () => complete(challenge, result)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    for (const count of [40, 7, 0]) {
      const step = await secondStep(person);
      expect(await complete(step.challenge, authenticator.use(step.options, { count }))).toMatchObject(refused);
    }
    world.clock.advance(20 * minute);
    const records = await toRecords(passkey.id);
    expect(records.filter(({ after }) => JSON.stringify(after).includes("counter went back"))).toHaveLength(3);
    const next = await secondStep(person);
    expect(await complete(next.challenge, authenticator.use(next.options, { count: 41 }))).toMatchObject({ ok: true });
  });

  test(`${engine.name}: an authenticator whose counter stays zero is always accepted`, async () => {
    const person = await joinMember();
    const authenticator = createAuthenticator();
    await person.send(authenticator.create(await person.options(), { count: 0 }));
    for (let times = 0; times < 2; times += 1) {
      const { challenge, options } = await secondStep(person);
      expect(await complete(challenge, authenticator.use(options, { count: 0 }))).toMatchObject({ ok: true });
    }
  });

  test(`${engine.name}: an account has at most ten passkeys, only its owner renames and removes them, and a reset deletes them`, async () => {
    const boss = await joinMember(["ADMIN"]);
    const person = await joinMember();
    const { passkey, authenticator } = await person.add();
    const params = { passkeyId: passkey.id };
    for (let more = 0; more < 9; more += 1) await person.add(createAuthenticator(), `Key ${more}`);
    expect(await person.client.beginPasskey({ body })).toMatchObject({ status: 409 });
    expect(await boss.client.renamePasskey({ params, body: { name: "Mine" } })).toMatchObject({ status: 404 });
    expect(await boss.client.removePasskey({ params, body })).toMatchObject({ status: 404 });
    expect(await person.client.renamePasskey({ params, body: { name: "Old laptop" } })).toMatchObject({
      value: { name: "Old laptop" },
    });
    const waiting = await secondStep(person);
    const reset = await boss.client.resetSecondFactor({ params: { userId: person.userId } });
    expect(reset).toMatchObject({ ok: true });
    expect(await complete(waiting.challenge, authenticator.use(waiting.options))).toMatchObject({ status: 401 });
    expect(await world.logIn(person.username, memberPassword)).toMatchObject({ ok: true });
    expect(await world.db.selectFrom("passkeys").select("id").where("user_id", "=", person.userId).execute()).toEqual(
      [],
    );
  });

  test(`${engine.name}: A07: a passkey satisfies an organization's required second factor, as long as it exists`, async () => {
    const strict = await addOrganization(world);
    const boss = await joinMember(["ADMIN"], strict);
    await boss.add();
    const member = await joinMember(["EDITOR"], strict);
    const scopes = async () => (await world.service.authenticate(member.accessToken)).scopes;
    expect(await boss.client.requireSecondFactors({ body: { required: true } })).toMatchObject({ ok: true });
    expect(await scopes()).toEqual([]);
    const { passkey } = await member.add();
    expect(await scopes()).toContain("tests:write");
    expect(await member.client.removePasskey({ params: { passkeyId: passkey.id }, body })).toMatchObject({ ok: true });
    expect(await scopes()).toEqual([]);
  });

  test(`${engine.name}: no challenge is stored in plain text`, async () => {
    const person = await joinMember();
    const { challenge } = await person.options();
    const rows = await world.db.selectFrom("passkey_challenges").selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(challenge);
  });
}
