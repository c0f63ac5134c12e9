import { afterAll, beforeAll, expect, test } from "vitest";
import { joinAs, mailedLink, newcomer, newPassword } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";

let portal: HandledPortal;
beforeAll(async () => {
  portal = await openHandledPortal();
});
afterAll(() => portal.stop());

async function joinMember() {
  const person = newcomer();
  const visitor = await joinAs(portal, "EDITOR", person);
  return { ...person, visitor };
}

test("a name is changed on the profile, and in the header at once", async () => {
  const { visitor } = await joinMember();
  const form = await (await visitor.open("/profile")).follow("Change your name");
  const refused = await form.submit("Save", { fullName: " " });
  expect([refused.status, refused.errors("fullName")]).toEqual([422, "Enter your name"]);
  const turned = await refused.submit("Save", { fullName: "Ada \u202egniK" });
  expect([turned.status, turned.errors("fullName"), turned.value("fullName")]).toEqual([
    422,
    "Remove the invisible characters that change the direction of text",
    "Ada \u202egniK",
  ]);
  const saved = await refused.submit("Save", { fullName: "Ada King" });
  expect([saved.address, saved.heading]).toEqual(["/profile", "Ada King"]);
  expect(saved.text).toContain("Your name is saved.");
  expect((await visitor.open("/dashboard")).text).toContain("Ada King");
});

test("a new password requires the current one, and signs out all other sessions", async () => {
  const { visitor, username } = await joinMember();
  const elsewhere = portal.visit("elsewhere/1.0");
  await (await elsewhere.open("/login")).submit("log in", { username, password: newPassword });
  const form = await (await visitor.open("/profile")).follow("Password");
  const password = "seven quiet harbours at dusk";
  const empty = await form.submit("Change password");
  expect([empty.errors("currentPassword"), empty.errors("password")]).toEqual([
    "Enter your password",
    "Choose a password",
  ]);
  const wrong = await empty.submit("Change password", { currentPassword: "not it", password });
  expect([wrong.status, wrong.errors("currentPassword")]).toEqual([422, "This is not your password."]);
  expect(wrong.value("password") ?? "").toBe("");
  const changed = await wrong.submit("Change password", { currentPassword: newPassword, password });
  expect(changed.text).toContain("Your password is changed. Every other session has ended.");
  expect(changed.rows("elsewhere")).toEqual([]);
  expect((await elsewhere.open("/profile")).heading).toBe("Login");
  const again = await (await elsewhere.open("/login")).submit("Login", { username, password });
  expect(again.address).toBe("/dashboard");
});

test("an email address changes once its link is followed, and the profile says so until then", async () => {
  const { visitor, email } = await joinMember();
  const form = await (await visitor.open("/profile")).follow("Change your email");
  const refused = await form.submit("Email me a link", { email: "nowhere", currentPassword: newPassword });
  expect(refused.errors("email")).toContain("Enter an email address");
  expect([refused.value("email"), refused.value("currentPassword") ?? ""]).toEqual(["nowhere", ""]);
  const same = await refused.submit("Email me a link", { email, currentPassword: newPassword });
  expect(same.errors("email")).toBe("This is the address your account has.");
  const wanted = `new-${email}`;
  const requested = await same.submit("Email me a link", { email: wanted, currentPassword: newPassword });
  expect(requested.text).toContain(`${wanted} is not confirmed yet`);
  expect((await visitor.open("/profile")).text).toContain(`${wanted}, not confirmed yet`);

  const link = await mailedLink(portal, wanted, /confirm your new/i);
  const question = await portal.visit().open(link);
  expect(question.heading).toBe("Is this your new email address?");
  const done = await question.submit("Confirm this address");
  expect(done.heading).toBe("Your email address is changed");
  expect((await portal.mail.newest(email, /was changed/i)).text).toContain("has another email address now");
  const profile = await visitor.open("/profile");
  expect([profile.text.includes(wanted), profile.text.includes("not confirmed yet")]).toEqual([true, false]);
  const again = await (await visitor.open(link)).submit("Confirm this address");
  expect([again.status, again.heading]).toEqual([404, "This link no longer works"]);
});

test("an address that is not confirmed yet is given up", async () => {
  const { visitor, email } = await joinMember();
  const form = await visitor.open("/profile/email");
  const wanted = `never-${email}`;
  const requested = await form.submit("Email me a link", { email: wanted, currentPassword: newPassword });
  const stored = await requested.submit("Keep the old address");
  expect(stored.text).toContain("Your email address stays as it is.");
  expect(stored.text).not.toContain(wanted);
  const link = await mailedLink(portal, wanted, /confirm your new/i);
  expect((await (await visitor.open(link)).submit("Confirm this address")).status).toBe(404);
});

test("an API token is created for chosen scopes, displayed once, listed with its last use, and revoked after asking", async () => {
  const { visitor } = await joinMember();
  const list = await (await visitor.open("/profile")).follow("API tokens");
  expect(list.text).toContain("You have no API tokens");
  const form = await list.follow("Create a token");
  expect(form.text).not.toContain("Manage people");
  const refused = await form.submit("Create token", { name: "Nightly build" });
  expect([refused.status, refused.value("name")]).toEqual([422, "Nightly build"]);
  expect(refused.text).toContain("Choose at least one scope");
  const made = await refused.submit("Create token", { scopes: ["tests:run"], expiresInDays: "30" });
  expect(made.heading).toBe("Nightly build is created");
  const token = /aap_[0-9A-Za-z]{46}/.exec(made.text)?.[0] ?? "";
  const listed = await made.follow("Done");
  expect(listed.text).not.toContain(token);
  expect(listed.rows("Nightly build")[0]).toContain(`ends in ${token.slice(-4)}`);
  expect(listed.rows("Nightly build")[0]).toContain("Never");
  const requested = await listed.follow("Revoke Nightly build");
  expect(requested.text).toContain("Programs that use this token lose access immediately.");
  const revoked = await requested.submit("Revoke token");
  expect(revoked.text).toContain("The token is revoked.");
  expect(revoked.text).toContain("You have no API tokens");
});

test("a theme is chosen, stored in this browser and in the page as it is served, and reset to the device's", async () => {
  const { visitor } = await joinMember();
  const display = await (await visitor.open("/profile")).follow("Display");
  expect(display.html).not.toContain("data-theme=");
  const dark = await display.submit("Use this theme", { theme: "dark" });
  expect(dark.html).toContain('data-theme="dark"');
  expect((await visitor.open("/legal")).html).toContain('data-theme="dark"');
  const system = await dark.submit("Use this theme", { theme: "system" });
  expect(system.html).not.toContain("data-theme=");
  const refused = await visitor.post("/profile/display", { theme: "pink" });
  expect([refused.status, refused.text.includes("Choose one of the themes")]).toEqual([422, true]);
});

test("a time zone is stored with the account, and used by pages in every browser", async () => {
  const { visitor, username } = await joinMember();
  const display = await (await visitor.open("/profile")).follow("Display");
  expect([display.value("timeZone"), display.text]).toEqual(["", expect.stringContaining("From the browser")]);
  const refused = await display.submit("Use this zone", { timeZone: "Mars/Olympus" });
  expect([refused.status, refused.heading]).toEqual([422, "Time zone"]);
  expect(refused.errors("timeZone")).toContain("No such time zone");
  const chosen = await refused.submit("Use this zone", { timeZone: "Asia/Kolkata" });
  expect([chosen.address, chosen.value("timeZone")]).toEqual(["/profile/display", "Asia/Kolkata"]);
  const elsewhere = portal.visit("elsewhere/1.0");
  await (await elsewhere.open("/login")).submit("log in", { username, password: newPassword });
  expect((await elsewhere.open("/profile")).text).toContain("Time zone: IST (Asia/Kolkata)");
  const given = await chosen.submit("Use this zone", { timeZone: "" });
  expect([given.value("timeZone"), given.text]).toEqual(["", expect.stringContaining("Time zone: UTC")]);
});
