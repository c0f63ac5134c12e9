import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { storePlan } from "../../kit/plan/plan-table.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { noLimits, planWith } from "../../kit/testing/plans.ts";
import { schemaName } from "../store/tables.ts";
import { addMember, addOrganization, memberPassword } from "../testing/members.ts";
import {
  closedAddress,
  type ProviderPerson,
  type RunningProvider,
  startOpenIdProvider,
} from "../testing/openid-provider.ts";
import { createSigningOnWorld, type SigningOnWorld, testRedirectUri } from "../testing/signing-on.ts";

for (const engine of testEngines()) {
  let database: Database;
  let provider: RunningProvider;
  let signing: SigningOnWorld;

  beforeAll(async () => {
    [database, provider] = await Promise.all([engine.open(), startOpenIdProvider(testRedirectUri)]);
    signing = await createSigningOnWorld(database);
    await signing.prove("example.com");
  });
  afterEach(async () => {
    provider.people.clear();
    await signing.forget();
  });
  afterAll(async () => {
    await signing.world.stop();
    await Promise.all([database.close(), provider.close()]);
  });

  const set = async (changes: Parameters<SigningOnWorld["set"]>[1] = {}) =>
    requireValue(await signing.set(provider, changes), "setting");
  const refused = (detail: RegExp) => ({ status: 403, problem: { detail: expect.stringMatching(detail) } });

  /** The whole flow, from the address to the response, as a user known to the provider. */
  async function signIn(subject: string, person: Partial<ProviderPerson> = {}) {
    provider.people.set(subject, { email: `${subject}@example.com`, email_verified: true, ...person });
    const begun = await signing.begin();
    return await signing.finish(begun, await provider.visit(begun.url, subject));
  }
  const getCaller = (accessToken: string) => signing.world.service.authenticate(accessToken);

  test(`${engine.name}: the first sign-in creates an account, and the next one finds it by its subject`, async () => {
    await set();
    const first = requireValue(await signIn("ada", { name: "Ada Lovelace", groups: ["writers"] }), "login");
    const caller = await getCaller(first.accessToken);
    expect([first.roles, caller.organizationId]).toEqual([["EDITOR"], signing.organizationId]);
    const { userId } = caller;
    const displayed = requireValue(await signing.administrator.getUser({ params: { userId } }), "user");
    expect(displayed).toMatchObject({ username: "ada", fullName: "Ada Lovelace", email: "ada@example.com" });
    const own = await signing.world.connect({ token: first.accessToken }).getOwnAccount();
    expect(requireValue(own, "account").hasPassword).toBe(false);
    const again = requireValue(await signIn("ada", { email: "ada.king@example.com" }), "login");
    expect((await getCaller(again.accessToken)).userId).toBe(userId);
    // None of the values gives a role now.
    expect(again.roles).toEqual(["VIEWER"]);
    const { items } = requireValue(await signing.administrator.listAuditRecords({ query: { kind: "user" } }), "audit");
    expect(items.slice(0, 2)).toMatchObject([
      { before: { roles: ["EDITOR"] }, after: { roles: ["VIEWER"] }, actor: { name: "ada" } },
      { after: { username: "ada", roles: ["EDITOR"] } },
    ]);
  });

  test(`${engine.name}: a member is found by their address, and keeps their roles when no claim gives any`, async () => {
    await set({ rolesClaim: "", roles: [], usualRole: null, createsAccounts: false });
    const userId = await addMember(signing.world, signing.organizationId, { username: "bob", roles: ["EDITOR"] });
    const result = requireValue(await signIn("b-17", { email: "BOB@example.com" }), "login");
    expect([result.roles, (await getCaller(result.accessToken)).userId]).toEqual([["EDITOR"], userId]);
    expect(await signIn("ada")).toMatchObject(refused(/no account for ada@example.com.*invite/));
  });

  test(`${engine.name}: a code is valid once`, async () => {
    await set();
    provider.people.set("ada", { email: "ada@example.com", email_verified: true });
    const begun = await signing.begin();
    expect(new URL(begun.url).searchParams.get("code_challenge_method")).toBe("S256");
    const returned = await provider.visit(begun.url, "ada");
    requireValue(await signing.finish(begun, returned), "login");
    expect(await signing.finish(begun, returned)).toMatchObject(refused(/used already/));
  });

  test(`${engine.name}: a code requested by another browser is refused`, async () => {
    await set();
    provider.people.set("ada", { email: "ada@example.com", email_verified: true });
    const [one, other] = [await signing.begin(), await signing.begin()];
    const returned = await provider.visit(one.url, "ada");
    expect(await signing.finish(other, returned)).toMatchObject({ status: 403 });
    const stolen = new URLSearchParams(returned);
    stolen.set("state", other.state);
    // PKCE: the code belongs to the first browser's verifier.
    expect(await signing.finish(other, `?${stolen}`)).toMatchObject({ status: 403 });
    const fresh = await signing.begin();
    const query = new URLSearchParams(await provider.visit(fresh.url, "ada"));
    query.set("iss", "https://evil.example");
    expect(await signing.finish(fresh, `?${query}`)).toMatchObject({ status: 403 });
  });

  test(`${engine.name}: cancelling and an unreachable provider have different problems`, async () => {
    await set();
    const begun = await signing.begin();
    expect(await signing.finish(begun, await provider.visit(begun.url, undefined))).toMatchObject(refused(/cancelled/));
    await signing.world.db
      .updateTable("single_sign_ons")
      .set({ issuer: await closedAddress() })
      .execute();
    expect(await signing.start("ada@example.com")).toMatchObject({
      ...{ status: 503, problem: { detail: expect.stringMatching(/can't be reached.*refused/) } },
    });
  });

  test.each<[string, Partial<ProviderPerson>, RegExp]>([
    ["an address of another domain", { email: "ada@evil.example" }, /not for addresses at evil\.example/],
    ["an address of a domain below", { email: "ada@sub.example.com" }, /not for addresses at sub/],
    ["an address that is not verified there", { email_verified: false }, /not verified/],
  ])(`${engine.name}: %s is refused`, async (_, person, detail) => {
    await set();
    expect(await signIn("ada", person)).toMatchObject(refused(detail));
    expect(await signing.world.db.selectFrom("users").select("id").execute()).toHaveLength(1);
  });

  test(`${engine.name}: without a default role, users whose values give no role are refused`, async () => {
    await set({ usualRole: null });
    expect(await signIn("ada", { groups: ["cooks"] })).toMatchObject(refused(/no role/));
  });

  test(`${engine.name}: disabled accounts and those of another person or organization are not opened`, async () => {
    await set();
    const { db } = signing.world;
    const { userId } = await getCaller(requireValue(await signIn("bob"), "login").accessToken);
    const disable = (disabled: boolean) => signing.administrator.changeUser({ params: { userId }, body: { disabled } });
    requireValue(await disable(true), "disabling");
    expect(await signIn("bob")).toMatchObject(refused(/disabled/));
    requireValue(await disable(false), "enabling");
    expect(await signIn("mallory", { email: "bob@example.com" })).toMatchObject(refused(/another person/));
    const other = await addOrganization(signing.world);
    await db.updateTable("memberships").set({ organization_id: other }).where("user_id", "=", userId).execute();
    // Known to the provider but no longer a member; then known by the address alone.
    expect(await signIn("bob")).toMatchObject(refused(/another organization/));
    await db.deleteFrom("provider_subjects").execute();
    expect(await signIn("bob")).toMatchObject(refused(/another organization/));
  });

  test(`${engine.name}: a provider opens no operator's account and does not remove the last administrator's role`, async () => {
    await set();
    const { db } = signing.world;
    const { administratorId: id } = signing;
    await db.updateTable("users").set({ email: "root@example.com", email_key: "root@example.com" }).execute();
    expect(await signIn("root")).toMatchObject(refused(/Operators/));
    const { roles } = await db.selectFrom("memberships").select("roles").executeTakeFirstOrThrow();
    await db
      .updateTable("memberships")
      .set({ roles: ["ADMIN"] })
      .where("user_id", "=", id)
      .execute();
    expect(requireValue(await signIn("root"), "login").roles).toEqual(["ADMIN"]);
    await db.updateTable("memberships").set({ roles }).where("user_id", "=", id).execute();
    await db.updateTable("users").set({ email: "", email_key: "" }).where("id", "=", id).execute();
  });

  test(`${engine.name}: required single sign-on leaves passwords and their resets to administrators only`, async () => {
    await set();
    await addMember(signing.world, signing.organizationId, { username: "bob" });
    await addMember(signing.world, signing.organizationId, { username: "guest", email: "guest@elsewhere.example" });
    await addMember(signing.world, signing.organizationId, { username: "chief", roles: ["ADMIN"] });
    const logIn = (name: string, password = memberPassword) => signing.world.logIn(name, password);
    requireValue(await logIn("bob"), "password");
    await set({ isRequired: true });
    expect(await logIn("bob")).toMatchObject(refused(/single sign-on/));
    expect(await logIn("bob", "a wrong one, for sure")).toMatchObject({ status: 401 });
    requireValue(await logIn("guest"), "of another domain");
    requireValue(await logIn("chief"), "administrator");
    requireValue(await signIn("bob"), "login");
    // A domain whose proof is lost does not count.
    await signing.world.db.updateTable("domains").set({ state: "unverified" }).execute();
    requireValue(await logIn("bob"), "password");
    expect(await signing.start("bob@example.com")).toMatchObject({ status: 422 });
    await signing.world.db.updateTable("domains").set({ state: "verified" }).execute();
  });

  test(`${engine.name}: the provider's second factor counts, and a sign-in without it needs the account's own`, async () => {
    await set();
    const { db } = signing.world;
    const now = new Date();
    const withFactor = (user_id: string) => ({ ...{ user_id, sealed_secret: "s", last_step: null }, ...ages });
    const ages = { created_at: now, confirmed_at: now };
    await db.insertInto("second_factors").values(withFactor(signing.administratorId)).execute();
    await db.updateTable("organizations").set({ requires_second_factor: true }).execute();
    expect(requireValue(await signIn("ada"), "login")).toMatchObject({ roles: [], needsSecondFactor: true });
    const strong = requireValue(await signIn("ada", { amr: ["pwd", "mfa"] }), "login");
    expect(strong).toMatchObject({ roles: ["VIEWER"], needsSecondFactor: false });
    // The session keeps the second factor.
    const next = await signing.portal.refreshForPortal({ body: { refreshToken: strong.refreshToken } });
    expect(requireValue(next, "refresh")).toMatchObject({ roles: ["VIEWER"], needsSecondFactor: false });
    const { userId } = await getCaller(strong.accessToken);
    // A change of access, published to every process, does not remove its roles either.
    await db
      .updateTable("memberships")
      .set({ roles: ["EDITOR"] })
      .where("user_id", "=", userId)
      .execute();
    await signing.world.service.accessState.refresh();
    expect((await getCaller(strong.accessToken)).roles).toEqual(["EDITOR"]);
    await db.insertInto("second_factors").values(withFactor(userId)).execute();
    expect(await signIn("ada")).toMatchObject({ problem: { code: "second_factor_required" } });
    requireValue(await signIn("ada", { amr: ["pwd", "mfa"] }), "login");
  });

  test(`${engine.name}: an invitation is accepted by signing in`, async () => {
    await set();
    const id = uuidv7();
    const now = signing.world.clock.now();
    const { organizationId: organization_id, administratorId: invited_by } = signing;
    await signing.world.db
      .insertInto("invitations")
      .values({
        ...{ id, organization_id, email: "ada@example.com", email_key: "ada@example.com", roles: ["ADMIN"] },
        ...{ invited_by, status: "SENT", created_at: now, expires_at: new Date(now.getTime() + 86_400_000) },
      })
      .execute();
    expect(requireValue(await signIn("ada"), "login").roles).toEqual(["VIEWER"]);
    const { status } = requireValue(
      await signing.administrator.getInvitation({ params: { invitationId: id } }),
      "invitation",
    );
    expect(status).toBe("ACCEPTED");
  });

  test(`${engine.name}: new accounts beyond the plan's members are refused, and existing ones still sign in`, async () => {
    await set();
    requireValue(await signIn("ada"), "login");
    const allow = (status: typeof noLimits, version: number) =>
      storePlan(database.kysely, schemaName, signing.organizationId, { ...status, version });
    await allow(planWith({ members: 2 }), 2);
    expect(await signIn("bob")).toMatchObject({ status: 402, problem: { code: "plan_limit_reached" } });
    requireValue(await signIn("ada"), "login");
    await allow(noLimits, 3);
    requireValue(await signIn("bob"), "login");
  });

  test(`${engine.name}: a trial returns the provider's claims without a sign-in`, async () => {
    await set();
    provider.people.set("ada", { email: "ada@example.com", email_verified: true, groups: ["writers", "cooks"] });
    const { organizationId } = signing;
    const begun = requireValue(await signing.portal.startSingleSignOn({ body: { organizationId } }), "starting");
    const tried = requireValue(await signing.attempt(begun, await provider.visit(begun.url, "ada")), "trial");
    expect(tried).toMatchObject({ email: "ada@example.com", roles: ["EDITOR"], roleValues: ["writers", "cooks"] });
    expect([tried.fault, tried.claims.includes("groups")]).toEqual([null, true]);
    expect(await signing.world.db.selectFrom("provider_subjects").selectAll().execute()).toEqual([]);
  });
}
