import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { createAuthenticator } from "../../services/security-service/testing/authenticator.ts";
import type { FormPage } from "../support/form-page.ts";
import { joinAs, newcomer, newPassword } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";

let portal: HandledPortal;
beforeAll(async () => {
  portal = await openHandledPortal();
});
afterAll(() => portal.stop());

const page = "/profile/passkeys";
const currentPassword = newPassword;

/** The options that script passes to the device. */
function optionsIn({ html }: FormPage) {
  const [, written = ""] = /data-options="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(written.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
}

/** A member with a passkey, and its recovery codes. */
async function joinMember() {
  const person = newcomer();
  const visitor = await joinAs(portal, "VIEWER", person);
  const authenticator = createAuthenticator();
  const requested = await (await visitor.open(page)).submit("Continue", { name: "Work laptop", currentPassword });
  const credential = JSON.stringify(authenticator.create(optionsIn(requested)));
  const made = await visitor.post(page, { intent: "add", name: "Work laptop", credential });
  return { ...person, visitor, authenticator, made };
}

test("a passkey is added with the password and the device's response, and recovery codes are displayed once", async () => {
  const { visitor, made } = await joinMember();
  expect(made.text).toContain("Copy them now. They won't be shown again.");
  const listed = await visitor.open(page);
  expect(listed.rows("Work laptop")[0]).toContain("Never");
  const wrong = await listed.submit("Continue", { name: "", currentPassword: "wrong one" });
  expect([wrong.status, wrong.errors("name")]).toEqual([422, "Name the passkey"]);
  const refused = await wrong.submit("Continue", { name: "Phone", currentPassword: "wrong one" });
  expect([refused.errors("currentPassword"), refused.value("name")]).toEqual(["This is not your password.", "Phone"]);
  const lied = await visitor.post(page, { intent: "add", name: "Phone", credential: "{}" });
  expect([lied.status, lied.text.includes("This passkey was not accepted.")]).toEqual([422, true]);
  const requested = await listed.submit("Continue", { name: "Phone", currentPassword });
  expect([requested.text.includes("Create Phone"), requested.text.includes("Passkeys need JavaScript.")]).toEqual([
    true,
    true,
  ]);
  const credential = JSON.stringify(createAuthenticator().create(optionsIn(requested)));
  const second = await visitor.post(page, { intent: "add", name: "Phone", credential });
  expect([second.address, second.text.includes("The passkey Phone is added.")]).toEqual([page, true]);
  const factor = await visitor.open("/profile/second-factor");
  expect(factor.text).toContain("10 are left.");
});

test("signing in takes the passkey after the password, and leads to the requested page", async () => {
  const { username, authenticator, visitor } = await joinMember();
  const anew = portal.visit();
  const login = await anew.open("/login?redirectTo=%2Fprofile");
  const requested = await login.submit("log in", { username, password: newPassword });
  expect([requested.status, requested.heading]).toEqual([200, "Confirm your identity"]);
  expect(requested.text).toContain("If you don't have it, enter a recovery code.");
  const [, challenge = ""] = /name="challenge" value="([^"]*)"/.exec(requested.html) ?? [];
  const send = (at: FormPage, options = optionsIn(at)) =>
    anew.post("/login", {
      ...{ intent: "passkey", challenge, redirectTo: "/profile" },
      credential: JSON.stringify(authenticator.use(options)),
    });
  const refused = await send(requested, { ...optionsIn(requested), challenge: "bWFkZSB1cA" });
  expect([refused.status, refused.heading]).toEqual([422, "Confirm your identity"]);
  expect(refused.text).toContain("This passkey was not accepted. Try again.");
  expect((await send(refused)).address).toBe("/profile");
  expect((await visitor.open(page)).rows("Work laptop")[0]).not.toContain("Never");
});

test("a recovery code replaces a passkey", async () => {
  const { username, made } = await joinMember();
  const [code = ""] =
    /id="recovery-codes-text".*?<\/pre>/s.exec(made.html)?.[0].match(/\b[2-9b-z]{5}-[2-9b-z]{5}\b/g) ?? [];
  const login = await portal.visit().open("/login");
  const requested = await login.submit("log in", { username, password: newPassword });
  expect((await requested.submit("Log in", { code })).address).toBe("/dashboard");
});

test("a passkey is renamed, and removed with the password; the password then suffices", async () => {
  const { visitor, username } = await joinMember();
  const change = await (await visitor.open(page)).follow("Rename or remove");
  expect(change.heading).toBe("Work laptop");
  const renamed = await change.submit("Save name", { name: "Old laptop" });
  expect([renamed.address, renamed.rows("Old laptop").length]).toEqual([page, 1]);
  const requested = await renamed.follow("Rename or remove");
  const refused = await requested.submit("Remove the passkey", { currentPassword: "wrong one" });
  expect([refused.status, refused.errors("currentPassword")]).toEqual([422, "This is not your password."]);
  const removed = await refused.submit("Remove the passkey", { currentPassword });
  expect(removed.text).toContain("You have no passkeys");
  expect((await visitor.open(requested.address)).status).toBe(404);
  const login = await portal.visit().open("/login");
  expect((await login.submit("log in", { username, password: newPassword })).address).toBe("/dashboard");
});

test("the organization's export names its members' passkeys, and contains no key material", async () => {
  const { username, authenticator } = await joinMember();
  const administrator = await portal.signIn();
  const { html: archive } = await administrator.open("/organization/export");
  const { items } = requireValue(
    await portal.backend.securityService.listUsers({ query: { query: username } }),
    "users",
  );
  expect(archive).toContain("passkeys.json");
  expect(archive).toMatch(
    new RegExp(`"userId":"${items[0]!.id}","id":"[^"]+","name":"Work laptop","createdAt":"[^"]+","lastUsedAt":null}`),
  );
  expect(archive).not.toContain(authenticator.id);
});
