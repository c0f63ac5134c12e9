import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireAnswer } from "../../services/kit/client/client.ts";
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
  const { redirectUri } = requireAnswer(await portal.backend.securityService.getSingleSignOn(), "settings");
  provider = await startOpenIdProvider(redirectUri);
});
afterAll(async () => {
  await portal.stop();
  await provider.close();
});

/** Proves a domain without a DNS that could be asked. */
async function prove(name: string): Promise<void> {
  requireAnswer(await portal.backend.securityService.createDomain({ body: { name } }), "domain");
  const database = new pg.Client({ connectionString: portal.databaseUrl });
  await database.connect();
  await database.query("update security_service.domains set state = 'verified' where name = $1", [name]);
  await database.end();
}

/** From the portal to the provider and back, as somebody who is known there; undefined cancels. */
async function goThrough(browser: Visitor, address: string, subject: string | undefined) {
  return await browser.open(`${page}/return${await provider.visit(address, subject)}`);
}

async function begin(browser: Visitor, redirectTo = "/profile", email = "somebody@books.example") {
  const login = await browser.open(`/login?redirectTo=${encodeURIComponent(redirectTo)}`);
  return await (await login.follow("Log in with single sign-on")).submit("continue", { email });
}

test("without a verified domain the page says what comes first, and what to register", async () => {
  const empty = await visitor.open(settings);
  expect(empty.text).toContain("No domain of yours is verified");
  expect(empty.text).toContain("/login/single-sign-on/return");
  expect((await empty.follow("Domains")).heading).toBe("Domains");
});

test("an administrator sets it up; what is wrong is told at its field, and the secret is never shown", async () => {
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

test("a trial shows what the provider told, and its administrator stays who they are", async () => {
  provider.people.set("ada", { email: "ada@books.example", email_verified: true, groups: ["writers"] });
  const leaving = await (await visitor.open(settings)).submit("Try it");
  const back = await goThrough(visitor, leaving.link("Continue to"), "ada");
  expect(back.text).toContain("ada@books.example could log in");
  expect(back.text).toMatch(/RolesEditor.*Claims.*groups/);
  const again = await (await visitor.open(settings)).submit("Try it");
  expect((await goThrough(visitor, again.link("Continue to"), undefined)).text).toContain("The provider refused.");
  expect((await visitor.open("/profile")).text).toContain("admin");
});

test("people log in with it where they were going, and the profile says that there is no password", async () => {
  const browser = portal.visit();
  const leaving = await begin(browser);
  const link = leaving.link("Continue to");
  expect(leaving.text).toContain("come back here");
  const { searchParams } = new URL(link);
  expect([searchParams.get("code_challenge_method"), searchParams.get("login_hint")]).toEqual([
    ...["S256", "somebody@books.example"],
  ]);
  const profile = await goThrough(browser, link, "ada");
  expect(profile.address).toBe("/profile");
  expect(profile.text).toMatch(/ada@books\.example.*no password.*Editor/);
});

test("nobody is led elsewhere afterwards", async () => {
  for (const elsewhere of ["//evil.example", "https://evil.example/"]) {
    const browser = portal.visit();
    const leaving = await begin(browser, elsewhere);
    expect((await goThrough(browser, leaving.link("Continue to"), "ada")).address).toBe("/dashboard");
  }
});

test("what another browser began, or what was used already, signs nobody in", async () => {
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

test("somebody who cancels is told so and tries again; an unknown address is told at its field", async () => {
  const browser = portal.visit();
  const cancelled = await goThrough(browser, (await begin(browser)).link("Continue to"), undefined);
  expect([cancelled.status, cancelled.text.includes("you cancelled")]).toEqual([403, true]);
  const form = await cancelled.follow("Try single sign-on again");
  const unknown = await form.submit("continue", { email: "ada@unknown.example" });
  expect([unknown.status, unknown.value("email")]).toEqual([422, "ada@unknown.example"]);
  expect(unknown.errors("email")).toContain("no single sign-on");
});

test("only administrators see it, and deleting asks first and says who has no password", async () => {
  const editor = await joinAs(portal, "EDITOR");
  expect((await editor.open(settings)).status).toBe(403);
  expect((await editor.post(settings, { intent: "delete" })).status).toBe(403);
  const asked = await (await visitor.open(settings)).follow("Delete");
  expect(asked.text).toContain("1 member has none");
  const deleted = await asked.submit("Delete single sign-on");
  expect(deleted.text).toContain("Single sign-on is deleted.");
  expect((await begin(portal.visit())).errors("email")).toContain("no single sign-on");
});
