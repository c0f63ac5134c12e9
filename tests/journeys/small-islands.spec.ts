import type { Page } from "@playwright/test";
import { account } from "../../sandbox/shop/app.ts";
import { describeShop } from "../../sandbox/shop/document.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { expect, holdIslands, test } from "../support/portal-test.ts";

const windowForm = "/test-management/maintenance-windows/create";
const calendarButton = (page: Page) => page.getByRole("button", { name: "Choose from a calendar: From" });
const from = (page: Page) => page.getByRole("textbox", { name: "From", exact: true });

test("before its calendar is there a date is typed; afterwards the calendar opens at it, by keyboard too, and writes the same format", async ({
  signedIn: page,
}) => {
  const release = await holdIslands(page);
  await page.goto(windowForm);
  await from(page).fill("2027-01-02 03:04");
  await expect(calendarButton(page)).toBeHidden();
  release();
  await expect(calendarButton(page)).toBeVisible();
  await expect(from(page)).toHaveValue("2027-01-02 03:04");
  // The browser's calendar is outside the page.
  await page.evaluate(() => {
    HTMLInputElement.prototype.showPicker = function open() {
      this.dataset.openedWith = this.value;
    };
  });
  const native = page.locator("input[type='datetime-local']").first();
  await from(page).focus();
  await page.keyboard.press("Tab");
  await expect(calendarButton(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(native).toHaveAttribute("data-opened-with", "2027-01-02T03:04");
  await native.evaluate((input: HTMLInputElement) => {
    input.value = "2027-02-03T04:05";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await expect(from(page)).toHaveValue("2027-02-03 04:05");
  await from(page).fill("tomorrow 09:00");
  await calendarButton(page).click();
  await expect(native).toHaveAttribute("data-opened-with", "");
  await expect(from(page)).toHaveValue("tomorrow 09:00");
});

const settings = "/administration/system-configuration?section=retention";

/** Follows a link of the page, and says whether the browser asked before; it stays then. */
async function asksBeforeLeaving(page: Page): Promise<boolean> {
  const asked: string[] = [];
  const stay = (dialog: { type(): string; dismiss(): Promise<void> }) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  };
  page.on("dialog", stay);
  await page.getByRole("link", { name: "Dashboard" }).first().click();
  if (asked.length === 0) await expect(page).toHaveURL(/\/dashboard$/);
  page.off("dialog", stay);
  if (asked.length > 0) expect(asked).toEqual(["beforeunload"]);
  return asked.length > 0;
}

test("changed settings are not lost by accident, also those changed before the script was there", async ({
  signedIn: page,
}) => {
  await page.goto(settings);
  expect(await asksBeforeLeaving(page)).toBe(false);

  const release = await holdIslands(page);
  await page.goto(settings, { waitUntil: "commit" });
  const field = page.getByRole("main").getByRole("textbox").first();
  const stored = await field.inputValue();
  await field.fill("77");
  release();
  await page.waitForLoadState("networkidle");
  expect(await asksBeforeLeaving(page)).toBe(true);
  await expect(field).toHaveValue("77");
  await field.fill(stored);
  expect(await asksBeforeLeaving(page)).toBe(false);

  await page.goto(settings);
  await field.fill("no number");
  await page.getByRole("main").getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(await asksBeforeLeaving(page)).toBe(true);
  await field.fill(stored);
  await page.getByRole("main").getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(field).toHaveValue(stored);
  expect(await asksBeforeLeaving(page)).toBe(false);
});

test("a country shows its fields at once by pointer, and by keyboard once the list is left; before that a button does", async ({
  signedIn: page,
}) => {
  const fieldsOf = (country: string) => page.locator(`form[action*="country=${country}"]`);
  const release = await holdIslands(page);
  await page.goto("/billing/address", { waitUntil: "domcontentloaded" });
  const country = page.getByLabel("Country");
  await country.selectOption("IE");
  await page.getByRole("button", { name: /Show the fields|Change the country/ }).click();
  await expect(fieldsOf("IE")).toBeVisible();
  release();
  await page.waitForLoadState("networkidle");
  await country.dispatchEvent("pointerdown");
  await country.selectOption("DE");
  await expect(fieldsOf("DE")).toBeVisible();
  await page.waitForLoadState("networkidle");
  await country.focus();
  await page.keyboard.type("Austria");
  await expect(country).toHaveValue("AT");
  await expect(fieldsOf("DE")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(fieldsOf("AT")).toBeVisible();
});

test("code is copied by a button that is there once its script is", async ({ signedIn: page, portal }) => {
  const { apiRegistry } = await signInToBackend(portal);
  const document = JSON.stringify(describeShop("https://shop.example", account));
  const api = requireValue(await apiRegistry.registerApi({ body: { source: { document } } }), "registering");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const release = await holdIslands(page);
  await page.goto(`/api-management/${api.id}/swagger/operation?method=get&path=%2Fproducts`);
  const copy = page.getByRole("button", { name: /^Copy/ }).first();
  await expect(copy).toBeHidden();
  release();
  await expect(copy).toBeVisible();
  const id = (await copy.getAttribute("data-copy"))!;
  await copy.click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim()).not.toBe("");
  expect(copied).toBe(await page.locator(`[id="${id}"]`).evaluate((element) => element.textContent));
});
