import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { hashMailedToken } from "../secrets/mailed-secrets.ts";
import { createAuthenticator } from "../testing/authenticator.ts";
import { addMember, memberPassword, signInAs } from "../testing/members.ts";
import { type RunningProvider, startOpenIdProvider } from "../testing/openid-provider.ts";
import { createSigningOnWorld, type SigningOnWorld, testRedirectUri } from "../testing/signing-on.ts";

/**
 * Moves sign-ins instead of the clock: the provider's clock can't be moved, and it determines when a user signed in.
 */
const waitElevenMinutes = ({ world }: SigningOnWorld) =>
  sql`update security_service.sessions set signed_on_at = signed_on_at - interval '11 minutes'`.execute(world.db);

for (const engine of testEngines()) {
  let database: Database;
  let provider: RunningProvider;
  let signing: SigningOnWorld;

  beforeAll(async () => {
    [database, provider] = await Promise.all([engine.open(), startOpenIdProvider(testRedirectUri)]);
    signing = await createSigningOnWorld(database);
    await signing.prove("example.com");
  });
  // The provider reports sign-ins in real time.
  beforeEach(() => signing.world.clock.moveTo(new Date()));
  afterEach(() => signing.forget());
  afterAll(async () => {
    await signing.world.stop();
    await Promise.all([database.close(), provider.close()]);
  });

  const set = async (changes: Parameters<SigningOnWorld["set"]>[1] = {}) =>
    requireValue(await signing.set(provider, changes), "setting");
  const know = (subject: string) => {
    provider.people.set(subject, { email: `${subject}@example.com`, email_verified: true });
    return subject;
  };

  /** A user without a password, who has just signed in. */
  async function signOn(subject: string) {
    const begun = await signing.begin();
    const result = await signing.finish(begun, await provider.visit(begun.url, know(subject)));
    const { accessToken, refreshToken } = requireValue(result, "login");
    const { userId, sessionId = "" } = await signing.world.service.authenticate(accessToken);
    return { userId, sessionId, refreshToken, client: signing.world.connect({ token: accessToken }) };
  }

  /** A round trip to the provider, where this user signs in. */
  async function confirm(user: { userId: string; sessionId: string }, subject: string) {
    const { organizationId } = signing;
    const started = await signing.portal.startSingleSignOn({ body: { organizationId, asksAgain: true } });
    const { url, organizationName: _, ...begun } = requireValue(started, "starting");
    expect(new URL(url).searchParams.get("prompt")).toBe("login");
    const returned = await provider.visit(url, know(subject));
    const { userId, sessionId } = user;
    return await signing.portal.confirmSingleSignOn({ body: { ...begun, returned, userId, sessionId } });
  }

  const lateOnes = {
    status: 403,
    problem: { detail: expect.stringMatching(/sign in with your organization's provider/) },
  };

  test(`${engine.name}: users without a password set up an app and a passkey within ten minutes of a sign-in`, async () => {
    await set();
    const { client, ...ada } = await signOn("ada");
    const until = signing.world.clock.now().getTime() + 600_000;
    const own = requireValue(await client.getOwnAccount(), "account");
    expect([own.hasPassword, own.confirmedUntil]).toEqual([false, new Date(until).toISOString()]);
    expect((await client.beginSecondFactor({ body: {} })).ok).toBe(true);
    const options = requireValue(await client.beginPasskey({ body: {} }), "options");
    const credential = createAuthenticator().create(options);
    const { passkey } = requireValue(await client.addPasskey({ body: { name: "Laptop", credential } }), "passkey");
    const changes = [
      () => client.beginSecondFactor({ body: {} }),
      () => client.renewRecoveryCodes({ body: {} }),
      () => client.beginPasskey({ body: {} }),
      () => client.removePasskey({ params: { passkeyId: passkey.id }, body: {} }),
      () => client.removeSecondFactor({ body: {} }),
    ];

    await waitElevenMinutes(signing);
    expect(requireValue(await client.getOwnAccount(), "account").confirmedUntil).toBeNull();
    for (const change of changes) expect(await change()).toMatchObject(lateOnes);
    expect((await confirm(ada, "ada")).ok).toBe(true);
    for (const change of changes) expect(await change()).toMatchObject({ ok: true });
  });

  test(`${engine.name}: another user's sign-in at the provider confirms nothing, and none confirms a session of a password`, async () => {
    await set();
    const [ada, bob] = [await signOn("ada"), await signOn("bob")];
    await waitElevenMinutes(signing);
    const otherUser = { status: 403, problem: { detail: expect.stringMatching(/a different user/) } };
    expect(await confirm(ada, "bob")).toMatchObject(otherUser);
    expect(await confirm(ada, "stranger")).toMatchObject(otherUser);
    const ended = { status: 403, problem: { detail: expect.stringMatching(/has ended/) } };
    expect(await confirm({ ...ada, sessionId: bob.sessionId }, "ada")).toMatchObject(ended);
    for (const { client } of [ada, bob]) expect(await client.beginSecondFactor({ body: {} })).toMatchObject(lateOnes);
    await addMember(signing.world, signing.organizationId, { username: "carol" });
    const carol = await signInAs(signing.world, "carol");
    await signOn("carol");
    const { userId, sessionId = "" } = await signing.world.service.authenticate(carol.accessToken);
    expect(await confirm({ userId, sessionId }, "carol")).toMatchObject(ended);
  });

  test(`${engine.name}: users with a password must enter it, also after signing in at the provider`, async () => {
    await set();
    await addMember(signing.world, signing.organizationId, { username: "carol" });
    const { client } = await signOn("carol");
    expect(requireValue(await client.getOwnAccount(), "account")).toMatchObject({
      ...{ hasPassword: true, confirmedUntil: null },
    });
    const errors = [{ path: "currentPassword", message: "Enter your password" }];
    expect(await client.beginSecondFactor({ body: {} })).toMatchObject({ status: 422, problem: { errors } });
    expect((await client.beginSecondFactor({ body: { currentPassword: memberPassword } })).ok).toBe(true);
  });

  test(`${engine.name}: A07: requiring single sign-on ends sessions that began with a password at once, except administrators'`, async () => {
    await set();
    const { db, clock, service } = signing.world;
    const join = (username: string, sketch: { roles?: string[]; email?: string } = {}) =>
      addMember(signing.world, signing.organizationId, { username, ...sketch });
    const bobsId = await join("bob");
    await join("guest", { email: "guest@elsewhere.example" });
    await join("chief", { roles: ["ADMIN"] });
    const bob = await signInAs(signing.world, "bob");
    const others = [await signInAs(signing.world, "guest"), await signInAs(signing.world, "chief")];
    const signedOn = await signOn("ada");

    await set({ isRequired: true });
    await expect(service.authenticate(bob.accessToken)).rejects.toMatchObject({ code: "unauthenticated" });
    const refresh = (refreshToken: string) => signing.portal.refreshForPortal({ body: { refreshToken } });
    expect(await refresh(bob.refreshToken)).toMatchObject({ status: 401 });
    for (const { refreshToken } of [...others, signedOn]) expect((await refresh(refreshToken)).ok).toBe(true);

    // A sign-in that waited for the second factor does not complete either.
    const challenge = "waiting";
    const now = clock.now();
    const expires_at = new Date(now.getTime() + 60_000);
    const factor = { user_id: bobsId, sealed_secret: "s", last_step: null, created_at: now, confirmed_at: now };
    await db.insertInto("second_factors").values(factor).execute();

    const waiting = { hash: hashMailedToken(challenge), user_id: bobsId, user_agent: "", expires_at };
    await db.insertInto("sign_in_challenges").values(waiting).execute();
    expect(await signing.portal.beginSecondStep({ body: { challenge } })).toMatchObject({
      ...{ status: 401, problem: { detail: expect.stringMatching(/takes no passwords/) } },
    });
    await db.updateTable("sign_in_challenges").set({ signed_on_at: now }).execute();
    expect((await signing.portal.beginSecondStep({ body: { challenge } })).ok).toBe(true);
  });

  test(`${engine.name}: A07: an administrator who becomes a member loses sessions that began with a password`, async () => {
    await set({ isRequired: true });
    const userId = await addMember(signing.world, signing.organizationId, { username: "chief", roles: ["ADMIN"] });
    const { refreshToken } = await signInAs(signing.world, "chief");
    const change = { params: { userId }, body: { roles: ["EDITOR" as const] } };
    requireValue(await signing.administrator.addUserRoles(change), "giving a role");
    const taken = { params: { userId }, body: { roles: ["ADMIN" as const] } };
    requireValue(await signing.administrator.removeUserRoles(taken), "taking a role");
    expect(await signing.portal.refreshForPortal({ body: { refreshToken } })).toMatchObject({ status: 401 });
    const ended = await signing.world.db
      .selectFrom("sessions")
      .select("ended_because")
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    expect(ended.ended_because).toBe("single_sign_on_required");
  });
}
