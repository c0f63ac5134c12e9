import { afterAll, beforeAll, expect, test } from "vitest";
import type { FormPage } from "../support/form-page.ts";
import { joinAs, mailedLink, newcomer, newPassword } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";

let portal: HandledPortal;
beforeAll(async () => {
  portal = await openHandledPortal();
});
afterAll(() => portal.stop());

async function askForLink(email: string): Promise<FormPage> {
  return await (await portal.visit().open("/password-reset")).submit("Email me a link", { email });
}

test("a forgotten password is reset with a mailed link, which is invalid afterwards", async () => {
  const { username, email } = newcomer();
  await joinAs(portal, "EDITOR", { username, email });
  const visitor = portal.visit();
  const form = await (await visitor.open("/login")).follow("Forgot your password?");
  const refused = await form.submit("Email me a link");
  expect(refused.errors("email")).toContain("Enter an email address");
  expect((await refused.submit("Email me a link", { email })).heading).toBe("Check your email");

  const link = await mailedLink(portal, email, /new password/i);
  const weak = await (await visitor.open(link)).submit("Change password", { password: "password12345678" });
  expect(weak.errors("password")).toContain("harder to guess");
  expect(weak.value("password") ?? "").toBe("");
  const password = "seven quiet harbours at dusk";
  const changed = await weak.submit("Change password", { password });
  expect(changed.text).toContain("Your password is changed");
  const old = await changed.submit("log in", { username, password: newPassword });
  expect(old.text).toContain("Username or password is wrong");
  expect((await old.submit("log in", { password })).address).toBe("/dashboard");

  const again = await (await portal.visit().open(link)).submit("Change password", { password });
  expect(again.heading).toBe("This link no longer works");
});

test("A05: the page responds in the same way for an address with an account and for one without", async () => {
  const person = newcomer();
  await joinAs(portal, "EDITOR", person);
  const [known, unknown] = [await askForLink(person.email), await askForLink("nobody-at-all@example.com")];
  expect(known.heading).toBe("Check your email");
  expect([unknown.url.search, unknown.text]).toEqual([known.url.search, known.text]);
});

test("a link without its token says how to get another", async () => {
  const dead = await portal.visit().open("/password-reset/complete");
  expect(dead.status).toBe(404);
  expect((await dead.follow("Request a new link")).address).toBe("/password-reset");
});
