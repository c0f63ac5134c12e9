import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { addMember, memberPassword, signInAs } from "../testing/members.ts";
import { type RunningProvider, startOpenIdProvider } from "../testing/openid-provider.ts";
import { createSigningOnWorld, type SigningOnWorld, testRedirectUri } from "../testing/signing-on.ts";
import { createVisitors, tokenIn, type Visitors } from "../testing/visitors.ts";

for (const engine of testEngines()) {
  let database: Database;
  let provider: RunningProvider;
  let signing: SigningOnWorld;
  let visitors: Visitors;

  beforeAll(async () => {
    [database, provider] = await Promise.all([engine.open(), startOpenIdProvider(testRedirectUri)]);
    signing = await createSigningOnWorld(database);
    visitors = await createVisitors(signing.world);
    await signing.prove("example.com");
  });
  afterEach(() => signing.forget());
  afterAll(async () => {
    await signing.world.stop();
    await Promise.all([database.close(), provider.close()]);
  });

  type Client = Awaited<ReturnType<typeof signInAs>>["client"];
  const set = async (isRequired: boolean) => requireValue(await signing.set(provider, { isRequired }), "setting");
  const join = (username: string) => addMember(signing.world, signing.organizationId, { username });
  async function signOn(subject: string): Promise<Client> {
    provider.people.set(subject, { email: `${subject}@example.com`, email_verified: true });
    const begun = await signing.begin();
    const result = await signing.finish(begun, await provider.visit(begun.url, subject));
    return signing.world.connect({ token: requireValue(result, "login").accessToken });
  }
  const ask = (client: Client, email: string, currentPassword?: string) =>
    client.changeOwnEmail({ body: { email, ...(currentPassword === undefined ? {} : { currentPassword }) } });
  const linkTo = async (client: Client, email: string) =>
    tokenIn(await visitors.getEmailAfter(email, /^Confirm your new/, () => ask(client, email, memberPassword)));
  const follow = (token: string) => visitors.client.confirmEmail({ body: { token } });

  const outside = /requires single sign-on.*example\.com/;

  test(`${engine.name}: A07: with required single sign-on, members can't take an address outside its domains`, async () => {
    await set(true);
    await join("bob");
    const bob = await signOn("bob");
    const errors = [{ path: "email", message: expect.stringMatching(outside) }];
    expect(await ask(bob, "bob@elsewhere.example", memberPassword)).toMatchObject({ status: 422, problem: { errors } });
    expect(await follow(await linkTo(bob, "robert@example.com"))).toMatchObject({ ok: true });
    expect(await signing.world.logIn("bob", memberPassword)).toMatchObject({ status: 403 });
  });

  test(`${engine.name}: A07: links from before the requirement are refused, and administrators are exempt`, async () => {
    await set(false);
    await Promise.all([join("bob"), addMember(signing.world, signing.organizationId, chiefly)]);
    const { client: chief } = await signInAs(signing.world, "chief");
    const { client: bob } = await signInAs(signing.world, "bob");
    const token = await linkTo(bob, "bob@elsewhere.example");
    await set(true);
    expect(await follow(token)).toMatchObject({ status: 409, problem: { detail: expect.stringMatching(outside) } });
    expect(await follow(await linkTo(chief, "chief@elsewhere.example"))).toMatchObject({ ok: true });
  });

  test(`${engine.name}: A07: the provider still signs in users it knows, whatever their current address`, async () => {
    await set(false);
    await join("bob");
    const bob = await signOn("bob");
    expect(await follow(await linkTo(bob, "bob@elsewhere.example"))).toMatchObject({ ok: true });
    requireValue(await signing.world.logIn("bob", memberPassword), "not required");
    await set(true);
    expect(await signing.world.logIn("bob", memberPassword)).toMatchObject({ status: 403 });
    await signOn("bob");
    // A lost domain proof locks no user out.
    await signing.world.db.updateTable("domains").set({ state: "unverified" }).execute();
    requireValue(await signing.world.logIn("bob", memberPassword), "unproven");
    await signing.world.db.updateTable("domains").set({ state: "verified" }).execute();
  });

  test(`${engine.name}: users without a password change their address within ten minutes of a sign-in`, async () => {
    await set(true);
    const ada = await signOn("ada");
    expect(await ask(ada, "lovelace@example.com")).toMatchObject({ status: 202 });
    await signing.world.db
      .updateTable("sessions")
      .set({ signed_on_at: new Date(0) })
      .execute();
    expect(await ask(ada, "countess@example.com")).toMatchObject({ status: 403 });
  });
}

const chiefly = { username: "chief", roles: ["ADMIN"] };
