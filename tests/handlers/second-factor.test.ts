import { type TOTP, URI } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FormPage } from "../support/form-page.ts";
import { joinAs, newcomer, newPassword } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";

let portal: HandledPortal;
beforeAll(async () => {
  portal = await openHandledPortal();
});
afterAll(() => portal.stop());

const currentPassword = newPassword;
const page = "/profile/second-factor";

/** The key displayed for the app. */
function toKey({ html }: FormPage): TOTP {
  const uri = /name="setUp" value="([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  return URI.parse(uri) as TOTP;
}

/** The code that the app displays, this many steps ahead of the clock. */
const getCode = (page: FormPage, ahead = 0) => toKey(page).generate({ timestamp: Date.now() + ahead * 30_000 });

/** The recovery codes on a page. */
const codesIn = ({ html }: FormPage): string[] =>
  /id="recovery-codes-text".*?<\/pre>/s.exec(html)?.[0].match(/\b[2-9b-z]{5}-[2-9b-z]{5}\b/g) ?? [];

async function joinMember() {
  const person = newcomer();
  const visitor = await joinAs(portal, "VIEWER", person);
  const setUp = await (await visitor.open(page)).submit("Set it up", { currentPassword });
  return { ...person, visitor, setUp };
}

test("a second factor is set up with the password and a code, and its recovery codes are displayed once", async () => {
  const { visitor } = await joinMember();
  const off = await visitor.open(page);
  const refused = await off.submit("Set it up", { currentPassword: "wrong one" });
  expect([refused.status, refused.errors("currentPassword")]).toEqual([422, "This is not your password."]);
  const setUp = await refused.submit("Set it up", { currentPassword });
  expect(setUp.html).toContain("data:image/svg+xml,");
  const wrong = await setUp.submit("Switch on", { code: "no code" });
  expect([wrong.status, wrong.errors("code")]).toEqual([
    422,
    "This code is wrong or was used already. Wait for the next one.",
  ]);
  expect(toKey(wrong).secret.hex).toBe(toKey(setUp).secret.hex);
  const made = await wrong.submit("Switch on", { code: getCode(wrong) });
  expect(made.text).toContain("The second factor is switched on.");
  expect(codesIn(made)).toHaveLength(10);
  const on = await made.follow("I saved them");
  expect(on.text).toContain("10 recovery codes are left.");
  expect(codesIn(on)).toEqual([]);
});

test("signing in asks for the code after the password, accepts a recovery code instead, and continues to the page", async () => {
  const { username, setUp } = await joinMember();
  const code = getCode(setUp);
  const made = await setUp.submit("Switch on", { code });
  const [recovery = ""] = codesIn(made);

  const login = await portal.visit().open("/login?redirectTo=%2Fprofile");
  const requested = await login.submit("log in", { username, password: newPassword });
  expect([requested.status, requested.heading]).toEqual([200, "Enter your code"]);
  const used = await requested.submit("Log in", { code });
  expect([used.status, used.heading, used.errors("code")]).toEqual([
    422,
    "Enter your code",
    "This code is wrong or was used already. Wait for the next one.",
  ]);
  expect((await used.submit("Log in", { code: getCode(setUp, 1) })).address).toBe("/profile");

  const again = await (await portal.visit().open("/login")).submit("log in", { username, password: newPassword });
  expect((await again.submit("Log in", { code: recovery })).address).toBe("/dashboard");
});

test("a sign-in that stopped before the code has no session", async () => {
  const { username, setUp } = await joinMember();
  await setUp.submit("Switch on", { code: getCode(setUp) });
  const visitor = portal.visit();
  const requested = await (await visitor.open("/login")).submit("log in", { username, password: newPassword });
  expect(requested.heading).toBe("Enter your code");
  expect((await visitor.open("/dashboard")).heading).toBe("Login");
  const ended = await visitor.post("/login", { intent: "code", challenge: "ended", code: "123456" });
  expect(ended.text).toContain("This took too long. Log in again.");
  expect(ended.heading).toBe("Login");
});

test("new recovery codes and switching off ask for the password", async () => {
  const { visitor, username, setUp } = await joinMember();
  await setUp.submit("Switch on", { code: getCode(setUp) });
  const on = await visitor.open(page);
  const refused = await on.submit("Switch off the second factor", { currentPassword: "wrong one" });
  expect(refused.text).toContain("This is not your password.");
  const renewed = await on.submit("Create new recovery codes", { currentPassword });
  expect(renewed.text).toContain("Your previous codes no longer work.");
  const off = await on.submit("Switch off the second factor", { currentPassword });
  expect(off.text).toContain("The second factor is switched off.");
  const login = await portal.visit().open("/login");
  expect((await login.submit("log in", { username, password: newPassword })).address).toBe("/dashboard");
});

test("an administrator resets a lost second factor after asking, and the password then suffices", async () => {
  const { username, visitor, setUp } = await joinMember();
  await setUp.submit("Switch on", { code: getCode(setUp) });
  const administrator = await portal.signIn();
  const users = await administrator.open(`/administration/user-management?query=${username}`);
  const page = await users.follow("Ada Lovelace");
  expect(page.text).toContain("After the password, signing in asks for a code from their app or a passkey.");
  const requested = await page.follow("Reset second factor");
  expect(requested.text).toContain("Reset the second factor of Ada Lovelace?");
  const done = await requested.submit("Reset second factor");
  expect(done.text).toContain("Signing in only requires the password.");
  expect(done.text).not.toContain("Reset second factor");
  expect((await visitor.open("/dashboard")).address).toMatch(/^\/login/);
  const login = await portal.visit().open("/login");
  expect((await login.submit("log in", { username, password: newPassword })).address).toBe("/dashboard");
});

test("where a second factor is required, a user without one is led to set it up, and continues then", async () => {
  const boss = newcomer();
  const visitor = await joinAs(portal, "ADMIN", boss);
  const other = newcomer();
  const member = await joinAs(portal, "VIEWER", other);
  const early = await (await visitor.open("/organization")).follow("Require for everyone");
  const refused = await early.submit("Require a second factor");
  expect(refused.text).toContain("Set up a second factor of your own first");
  const own = await (await visitor.open(page)).submit("Set it up", { currentPassword });
  await own.submit("Switch on", { code: getCode(own) });
  const requested = await (await visitor.open("/organization")).follow("Require for everyone");
  const required = await requested.submit("Require a second factor");
  expect(required.text).toContain("A second factor is now required for everyone.");

  const led = await member.open("/dashboard");
  expect([led.address, led.text.includes("Your organization requires a second factor")]).toEqual([page, true]);
  for (const own of ["/profile", "/profile/api-tokens", "/profile/password", "/"]) {
    expect([own, (await member.open(own)).status]).toEqual([own, 200]);
  }
  const setUp = await led.submit("Set it up", { currentPassword });
  const made = await setUp.submit("Switch on", { code: getCode(setUp) });
  expect(codesIn(made)).toHaveLength(10);
  expect((await member.open("/dashboard")).address).toBe("/dashboard");
  const left = await (await visitor.open("/organization")).submit("Make optional");
  expect(left.text).toContain("Second factors are now optional.");
});
