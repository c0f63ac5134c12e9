import { follow, tabTo, typeInto } from "../support/keyboard.ts";
import { becomeSignedIn, expect, expectAccessible, test } from "../support/portal-test.ts";
import { registerFromPlan } from "../support/registration-life.ts";
import { cancelTeam, expectTeam, goToPayPal, pickTeam, registerPrices } from "../support/subscribing-life.ts";

test("a new organization picks Team, registers, approves at PayPal, uses it, and cancels without losing anything", async ({
  page,
  portal,
  targetApi,
}) => {
  await registerFromPlan(page, portal, { organizationName: "Bookshop" });
  await page.goto("/api-management/register");
  await page.getByLabel("Document URL").fill(targetApi.documentUrl);
  await page.getByRole("button", { name: "Validate" }).click();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Prices");
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page.getByText("Prices is registered")).toBeVisible();
  await page.goto("/billing");
  await goToPayPal(page);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expectTeam(page);
  await cancelTeam(page, "Prices");
});

test("Team is subscribed to, approved and cancelled by keyboard alone", async ({ page, portal }) => {
  const { account, backend } = await pickTeam(portal);
  const name = await registerPrices(backend);
  await page.goto("/billing");
  await typeInto(page, /Username/, account.username);
  await typeInto(page, /Password/, account.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Billing");
  await follow(page, "button", /^Subscribe to Team$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Subscription to Team");
  await follow(page, "link", /^Approve at PayPal$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Subscribe to Team");
  await follow(page, "button", /^Approve$/);
  await expect(page.getByText("Team is active.")).toBeVisible();
  await follow(page, "link", /^Cancel the subscription$/);
  await tabTo(page, "button", /^Cancel the subscription$/);
  await page.keyboard.press("Enter");
  await expect(page.getByText("The subscription to Team is cancelled.")).toBeVisible();
  await page.goto("/api-management/list");
  await expect(page.getByRole("link", { name }).first()).toBeVisible();
});

test("a user whose session ended at PayPal signs in and reaches the requested page", async ({ page, portal }) => {
  const { account } = await pickTeam(portal);
  await becomeSignedIn(page, { ...portal, ...account });
  await page.goto("/billing");
  await goToPayPal(page);
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Login");
  expect(decodeURIComponent(page.url())).not.toMatch(/ba_token|BA-|I-[0-9A-Z]{12}/);
  await expectAccessible(page);
  await page.getByLabel("Username").fill(account.username);
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("button", { name: /log in/i }).click();
  await expectTeam(page);
});

test("a user who cancels at PayPal is told that nothing was charged, and may approve it after all", async ({
  page,
  portal,
}) => {
  const { account } = await pickTeam(portal);
  await becomeSignedIn(page, { ...portal, ...account });
  await page.goto("/billing");
  await goToPayPal(page);
  await page.getByRole("button", { name: "Cancel and return" }).click();
  await expect(page.getByText("You did not approve Team at PayPal, so nothing was charged.")).toBeVisible();
  await page.getByRole("link", { name: "Approve at PayPal" }).click();
  // Back and forth again, as a hesitant buyer does.
  await page.goBack();
  await page.getByRole("link", { name: "Approve at PayPal" }).click();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expectTeam(page);
});

test("PayPal's webhook activates it without a return to the portal; a later return changes nothing", async ({
  page,
  portal,
}) => {
  const { account } = await pickTeam(portal);
  await becomeSignedIn(page, { ...portal, ...account });
  await page.goto("/billing");
  await goToPayPal(page);
  const approval = page.url();
  const form = { ba_token: new URL(approval).searchParams.get("ba_token")!, decision: "approve" };
  const headers = { origin: portal.origin };
  const approved = await page.request.post(approval, { form, headers, maxRedirects: 0 });
  expect(approved.status()).toBe(303);
  await expect(async () => {
    await page.goto("/billing");
    await expect(page.getByText(/ of 20$/).first()).toBeVisible({ timeout: 100 });
  }).toPass();
  // After Subscribe in the other tab, the approval is void.
  await page.goto(approval);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nothing to approve");
  await page.goto(approved.headers().location!);
  await expectTeam(page);
});

test("Subscribe pressed in two tabs and once more after going back is one subscription", async ({ page, portal }) => {
  const { account, backend } = await pickTeam(portal);
  await becomeSignedIn(page, { ...portal, ...account });
  await page.goto("/billing");
  const other = await page.context().newPage();
  await other.goto("/billing");
  const subscribe = (tab: typeof page) => tab.getByRole("button", { name: "Subscribe to Team" }).first();
  await Promise.all([subscribe(page).dblclick(), subscribe(other).click()]);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Subscription to Team");
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Subscription to Team");
  expect(other.url()).toBe(page.url());
  await page.goBack();
  await page.goto("/billing");
  const listed = await backend.portalService.listSubscriptions();
  expect(listed.ok && listed.value.items).toHaveLength(1);
  await expect(page.getByRole("button", { name: "Subscribe to Team" })).toHaveCount(0);
  await page.getByRole("link", { name: "Your subscription" }).click();
  await expect(page.getByRole("link", { name: "Approve at PayPal" })).toBeVisible();
});
