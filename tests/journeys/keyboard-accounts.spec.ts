import { inviteByMail } from "../support/invited.ts";
import { follow, tabTo, typeInto } from "../support/keyboard.ts";
import { mailedCode, mailedLink } from "../support/mailed.ts";
import { expect, test } from "../support/portal-test.ts";
import { registerAccount } from "../support/registered-account.ts";
import { goodPassword, newcomer } from "../support/registration-life.ts";

test("cookies are declined and accepted, and a user logs in and out, by keyboard alone", async ({ page, portal }) => {
  await page.goto("/");
  await follow(page, "button", /^Decline cookies$/);
  await expect(page.getByRole("complementary", { name: "Cookies" })).toBeHidden();
  await follow(page, "link", /^Login$/);
  await typeInto(page, /Username/, portal.username);
  await typeInto(page, /Password/, portal.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/dashboard");
  await follow(page, "button", /^Logout$/);
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("link", { name: "Register", exact: true }).first()).toBeVisible();
});

test("a forgotten password is reset by keyboard alone", async ({ page, portal }) => {
  const { email, username } = await registerAccount(portal, { serviceId: "free" });
  await page.goto("/login");
  await follow(page, "link", /^Forgot your password/);
  await typeInto(page, /Email address/, email);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check your email");
  await page.goto(await mailedLink(portal, email, /new password/i));
  await typeInto(page, /password/i, "seven quiet harbours at dusk");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your password is changed")).toBeVisible();
  await typeInto(page, /Username/, username);
  await typeInto(page, /Password/, "seven quiet harbours at dusk");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/dashboard");
});

test("an invitation is accepted by keyboard alone", async ({ page, portal }) => {
  const { email, username } = newcomer();
  await page.goto((await inviteByMail(portal, email)).link);
  await follow(page, "button", /^Send the code$/);
  await expect(page).toHaveURL(/code=sent/);
  await typeInto(page, /Verification code/, await mailedCode(portal, email));
  await typeInto(page, /Your name/, "Ada Lovelace");
  await typeInto(page, /Username/, username);
  await typeInto(page, /Password/, goodPassword);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/login?registered=${username}`);
});

test("a message is written by keyboard alone", async ({ page }) => {
  await page.goto("/contact");
  await typeInto(page, /Your name/, "Ada Lovelace");
  await typeInto(page, /Email address/, "ada@example.com");
  await typeInto(page, /Subject/, "Plans for two teams");
  await tabTo(page, "textbox", /Message/);
  await page.keyboard.type("Which plan fits two teams?");
  await follow(page, "button", /^Send message$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your message was sent");
});
