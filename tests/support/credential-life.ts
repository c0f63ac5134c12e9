import type { Page } from "@playwright/test";
import { expect } from "./portal-test.ts";

/** The whole life cycle of a credential on a signed-in page: created after a rejected attempt, found, changed, deleted. */
export async function liveThroughCredential(page: Page, name: string): Promise<void> {
  await page.goto("/administration/credentials");
  await page.getByRole("link", { name: "Create a credential" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("API key").check();
  await page.getByRole("button", { name: "Create credential" }).click();
  await expect(page.getByRole("link", { name: "Enter the secret" })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
  await page.getByLabel("Domain").fill("*.Shop.example.com");
  await page.getByLabel("Name of the header").fill("X-Shop-Key");
  await page.locator("[name=secret]").fill("key-1");
  await page.getByRole("button", { name: "Create credential" }).click();
  await expect(page.getByText(`${name} is stored, for *.shop.example.com only.`)).toBeVisible();

  await page.getByLabel("Matches host").fill("eu.shop.example.com");
  await page.getByLabel("Search by name or domain").fill(name.toLowerCase());
  await page.getByRole("button", { name: "Filter" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("API key in header X-Shop-Key");
  await page.goto("/administration/credentials/domain/eu.shop.example.com");
  await expect(row).toHaveCount(1);
  await page.goto("/administration/credentials/domain/shop.example.org");
  await expect(page.getByText("Requests to it are not allowed")).toBeVisible();

  await page.goto("/administration/credentials?query=shop");
  await page.getByRole("link", { name }).click();
  await page.getByLabel("Domain").fill("other.example.com");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Enter the secret again: it was given for another domain").first()).toBeVisible();
  await expect(page.getByLabel("Domain")).toHaveValue("other.example.com");
  await page.locator("[name=secret]").fill("key-2");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`${name} is saved.`)).toBeVisible();

  await page.getByRole("link", { name }).click();
  await page.getByRole("link", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog", { name: `Delete ${name}?` });
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("link", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete credential" }).click();
  await expect(page.getByText(`${name} is deleted.`)).toBeVisible();
  await expect(row).toHaveCount(0);
}
