import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { type RunningProvider, startOpenIdProvider } from "../../services/security-service/testing/openid-provider.ts";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

const settings = "/organization/single-sign-on";
const page = "/login/single-sign-on";
let portal: HandledPortal;
let visitor: Visitor;
let provider: RunningProvider;

beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
  const { redirectUri } = requireValue(await portal.backend.securityService.getSingleSignOn(), "settings");
  provider = await startOpenIdProvider(redirectUri);
});
afterAll(async () => {
  await portal.stop();
  await provider.close();
});

async function change(statement: string, values: string[] = []): Promise<void> {
  const database = new pg.Client({ connectionString: portal.databaseUrl });
  await database.connect();
  await database.query(statement, values);
  await database.end();
}

/** Verifies a domain without a DNS lookup. */
async function prove(name: string): Promise<void> {
  requireValue(await portal.backend.securityService.createDomain({ body: { name } }), "domain");
  await change("update security_service.domains set state = 'verified' where name = $1", [name]);
}

/** As if all users had signed in a while ago. */
const waitElevenMinutes = () =>
  change("update security_service.sessions set signed_on_at = signed_on_at - interval '11 minutes'");

/** From the portal to the provider and back, as a user of the provider; undefined cancels. */
async function goThrough(browser: Visitor, address: string, subject: string | undefined) {
  return await browser.open(`${page}/return${await provider.visit(address, subject)}`);
}

async function begin(browser: Visitor, redirectTo = "/profile", email = "somebody@books.example") {
  const login = await browser.open(`/login?redirectTo=${encodeURIComponent(redirectTo)}`);
  return await (await login.follow("Log in with single sign-on")).submit("continue", { email });
}

test("without a verified domain the page names the first step, and the values to register", async () => {
  const empty = await visitor.open(settings);
  expect(empty.text).toContain("You have no verified domains");
  expect(empty.text).toContain("/login/single-sign-on/return");
  expect((await empty.follow("Domains")).heading).toBe("Domains");
});

test("an administrator sets it up; errors are reported at the field, and the secret is never displayed", async () => {
  await prove("books.example");
  const typed = { clientId: "portal", secret: provider.clientSecret, rolesClaim: "groups", "roles.EDITOR": "writers" };
  const refused = await (await visitor.open(settings)).submit("Save", { ...typed, issuer: "https://10.0.0.1" });
  expect([refused.status, refused.value("clientId"), refused.value("roles.EDITOR")]).toEqual([
    422,
    "portal",
    "writers",
  ]);
  expect(refused.errors("issuer")).toContain("can't be reached");
  const saved = await refused.submit("Save", { ...typed, issuer: provider.issuer });
  expect(saved.text).toContain("Single sign-on is saved.");
  expect([saved.value("issuer"), saved.value("secret"), saved.value("roles.EDITOR")]).toEqual([
    ...[provider.issuer, undefined, "writers"],
  ]);
  expect((await visitor.open("/organization")).link("Single sign-on")).toContain(settings);
});

test("a trial shows the provider's claims, and its administrator stays signed in", async () => {
  provider.people.set("ada", { email: "ada@books.example", email_verified: true, groups: ["writers"] });
  const leaving = await (await visitor.open(settings)).submit("Try it");
  const back = await goThrough(visitor, leaving.link("Continue to"), "ada");
  expect(back.text).toContain("ada@books.example could log in");
  expect(back.text).toMatch(/RolesEditor.*Claims.*groups/);
  const again = await (await visitor.open(settings)).submit("Try it");
  expect((await goThrough(visitor, again.link("Continue to"), undefined)).text).toContain("The provider refused.");
  expect((await visitor.open("/profile")).text).toContain("admin");
});

test("users log in with it and reach the requested page, and the profile says that there is no password", async () => {
  const browser = portal.visit();
  const leaving = await begin(browser);
  const link = leaving.link("Continue to");
  expect(leaving.text).toContain("return here");
  const { searchParams } = new URL(link);
  expect([searchParams.get("code_challenge_method"), searchParams.get("login_hint")]).toEqual([
    ...["S256", "somebody@books.example"],
  ]);
  const profile = await goThrough(browser, link, "ada");
  expect(profile.address).toBe("/profile");
  expect(profile.text).toMatch(/ada@books\.example.*no password.*Editor/);
});

test("a user without a password is told how to choose one, instead of the form to change it", async () => {
  const browser = portal.visit();
  const password = await goThrough(browser, (await begin(browser, "/profile/password")).link("Continue to"), "ada");
  expect(password.html).not.toContain('name="currentPassword"');
  expect(password.text).toContain("mailed to ada@books.example");
  await change("update security_service.single_sign_ons set is_required = true");
  const refused = await browser.open("/profile/password");
  expect(refused.text).toContain("Your password is changed at its provider.");
  expect(refused.html).not.toContain("/password-reset");
  await change("update security_service.single_sign_ons set is_required = false");
  const reset = await password.submit("Log out and choose a password by email");
  expect([reset.address, reset.heading]).toEqual(["/password-reset", "Forgot your password?"]);
});

test("a login redirects to no other site", async () => {
  for (const elsewhere of ["//evil.example", "https://evil.example/"]) {
    const browser = portal.visit();
    const leaving = await begin(browser, elsewhere);
    expect((await goThrough(browser, leaving.link("Continue to"), "ada")).address).toBe("/dashboard");
  }
});

test("a login that another browser started, or that was used already, starts no session", async () => {
  const [one, other] = [portal.visit(), portal.visit()];
  const link = (await begin(one)).link("Continue to");
  const returned = await provider.visit(link, "ada");
  const stolen = await other.open(`${page}/return${returned}`);
  expect([stolen.status, stolen.heading]).toEqual([400, "You are not logged in"]);
  await begin(other);
  expect((await other.open(`${page}/return${returned}`)).status).toBe(403);
  const copy = one.copied();
  expect((await one.open(`${page}/return${returned}`)).address).toBe("/profile");
  const replayed = await copy.open(`${page}/return${returned}`);
  expect([replayed.status, replayed.text.includes("used already")]).toEqual([403, true]);
});

test("a cancelled login is reported and can be repeated; an unknown address is reported at its field", async () => {
  const browser = portal.visit();
  const cancelled = await goThrough(browser, (await begin(browser)).link("Continue to"), undefined);
  expect([cancelled.status, cancelled.text.includes("you cancelled")]).toEqual([403, true]);
  const form = await cancelled.follow("Try single sign-on again");
  const unknown = await form.submit("continue", { email: "ada@unknown.example" });
  expect([unknown.status, unknown.value("email")]).toEqual([422, "ada@unknown.example"]);
  expect(unknown.errors("email")).toContain("no single sign-on");
});

test("a user without a password confirms by single sign-on before changing a second factor, and returns", async () => {
  const browser = portal.visit();
  await goThrough(browser, (await begin(browser)).link("Continue to"), "ada");
  const factor = "/profile/second-factor";
  const fresh = await browser.open(factor);
  expect(fresh.text).toMatch(/After single sign-on, signing in asks for a code/);
  expect(fresh.html).not.toContain('name="currentPassword"');
  expect((await fresh.submit("Set it up")).text).toContain("Add it to your app");
  expect((await browser.open("/profile/passkeys")).html).not.toContain('name="currentPassword"');

  await waitElevenMinutes();
  const late = await fresh.submit("Set it up");
  expect([late.status, late.text.includes("confirm first that it is you")]).toEqual([403, true]);
  const passkeys = await browser.open("/profile/passkeys");
  const leaving = await passkeys.submit("Confirm by single sign-on");
  expect(leaving.link("Cancel")).toContain("/profile/passkeys");
  provider.people.set("grace", { email: "grace@books.example", email_verified: true });
  const other = await goThrough(browser, leaving.link("Continue to"), "grace");
  expect([other.address, other.text.includes("a different user")]).toEqual(["/profile/passkeys", true]);
  const again = await other.submit("Confirm by single sign-on");
  const back = await goThrough(browser, again.link("Continue to"), "ada");
  expect([back.address, back.text.includes("You are confirmed for ten minutes.")]).toEqual(["/profile/passkeys", true]);
  expect((await back.submit("Continue", { name: "Laptop" })).text).toContain("Create Laptop");
});

test("where a second factor is required, a user without a password is led to confirm and set one up", async () => {
  // An administrator who requires one has one.
  await change(
    `insert into security_service.second_factors (user_id, sealed_secret, created_at, confirmed_at)
     select id, 's', now(), now() from security_service.users where username_key = 'admin'`,
  );
  await change("update security_service.organizations set requires_second_factor = true");
  const browser = portal.visit();
  await goThrough(browser, (await begin(browser)).link("Continue to"), "ada");
  await waitElevenMinutes();
  const led = await browser.open("/dashboard");
  expect([led.address, led.text.includes("Your organization requires a second factor")]).toEqual([
    ...["/profile/second-factor", true],
  ]);
  const leaving = await led.submit("Confirm by single sign-on");
  const back = await goThrough(browser, leaving.link("Continue to"), "ada");
  expect(back.address).toBe("/profile/second-factor");
  expect((await back.submit("Set it up")).text).toContain("Add it to your app");
  await change("update security_service.organizations set requires_second_factor = false");
  await change("delete from security_service.second_factors where sealed_secret = 's'");
});

test("a confirmation belongs to its user: it is void after a logout or a login as another user", async () => {
  const browser = portal.visit();
  await goThrough(browser, (await begin(browser)).link("Continue to"), "ada");
  await waitElevenMinutes();
  const leaving = await (await browser.open("/profile/second-factor")).submit("Confirm by single sign-on");
  browser.lose(/session/);
  const stranger = await goThrough(browser, leaving.link("Continue to"), "ada");
  expect([stranger.status, stranger.heading]).toEqual([400, "You are not logged in"]);
});

test("the second step after single sign-on leads back to single sign-on, also after a wrong code", async () => {
  const browser = portal.visit();
  await goThrough(browser, (await begin(browser)).link("Continue to"), "ada");
  await change(
    `insert into security_service.recovery_codes select user_id, 'x' from security_service.provider_subjects where subject = 'ada'`,
  );
  await change(
    `insert into security_service.passkeys (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
     select gen_random_uuid(), user_id, 'c', 'p', 0, '{}', 'Laptop', now()
     from security_service.provider_subjects where subject = 'ada'`,
  );
  const anew = portal.visit();
  const requested = await goThrough(anew, (await begin(anew)).link("Continue to"), "ada");
  expect(requested.link("Start over with single sign-on")).toContain(page);
  const wrong = await requested.submit("Log in", { code: "no code" });
  expect([wrong.status, wrong.link("Start over with single sign-on").includes(page)]).toEqual([422, true]);
  await change("delete from security_service.passkeys");
});

test("the organization's export has its settings without the secret", async () => {
  const { html } = await visitor.open("/organization/export");
  expect(html).toContain("single-sign-on.json");
  expect(html).toContain(`"issuer": "${provider.issuer}"`);
  expect(html).not.toContain(provider.clientSecret);
});

test("only administrators see it, and deleting asks first and names users without a password", async () => {
  const editor = await joinAs(portal, "EDITOR");
  expect((await editor.open(settings)).status).toBe(403);
  expect((await editor.post(settings, { intent: "delete" })).status).toBe(403);
  const requested = await (await visitor.open(settings)).follow("Delete");
  expect(requested.text).toContain("1 member has none");
  const deleted = await requested.submit("Delete single sign-on");
  expect(deleted.text).toContain("Single sign-on is deleted.");
  expect((await begin(portal.visit())).errors("email")).toContain("no single sign-on");
});
