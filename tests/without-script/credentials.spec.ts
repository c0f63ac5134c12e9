import { expect, test } from "../support/portal-test.ts";

test("a credential is created, found, changed and deleted", async ({ signedIn: page }) => {
  await page.goto("/administration");
  await expect(page).toHaveURL("/administration/credentials");
  await page.getByRole("link", { name: "Create a credential" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Shop without-script");
  await page.getByLabel("API key").check();
  await page.getByRole("button", { name: "Create credential" }).click();
  await expect(page.getByRole("link", { name: "Enter the secret" })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Shop without-script");
  await page.getByLabel("Domain").fill("*.Shop.example.com");
  await page.getByLabel("Name of the header").fill("X-Shop-Key");
  await page.locator("[name=secret]").fill("key-1");
  await page.getByRole("button", { name: "Create credential" }).click();
  await expect(page.getByText("Shop without-script is stored, for *.shop.example.com only.")).toBeVisible();

  await page.getByLabel("Fits the host").fill("eu.shop.example.com");
  await page.getByLabel("Search by name or domain").fill("shop without-script");
  await page.getByRole("button", { name: "Filter" }).click();
  const row = page.getByRole("row").filter({ hasText: "Shop without-script" });
  await expect(row).toContainText("API key in header X-Shop-Key");
  await page.goto("/administration/credentials/domain/eu.shop.example.com");
  await expect(row).toHaveCount(1);
  await page.goto("/administration/credentials/domain/shop.example.org");
  await expect(page.getByText("Nothing may be sent there")).toBeVisible();

  await page.goto("/administration/credentials?query=shop");
  await page.getByRole("link", { name: "Shop without-script" }).click();
  await page.getByLabel("Domain").fill("other.example.com");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Enter the secret again: it was given for another domain").first()).toBeVisible();
  await expect(page.getByLabel("Domain")).toHaveValue("other.example.com");
  await page.locator("[name=secret]").fill("key-2");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Shop without-script is saved.")).toBeVisible();

  await page.getByRole("link", { name: "Shop without-script" }).click();
  await page.getByRole("link", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete Shop without-script?" });
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("link", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete credential" }).click();
  await expect(page.getByText("Shop without-script is deleted.")).toBeVisible();
  await expect(row).toHaveCount(0);
});
