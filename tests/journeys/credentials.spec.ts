import { expect, expectAccessible, test } from "../support/portal-test.ts";

test("a credential is created, found, changed and deleted", async ({ signedIn: page }) => {
  await page.goto("/administration");
  await expect(page).toHaveURL("/administration/credentials");
  await page.getByRole("link", { name: "Create a credential" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Shop journeys");
  await page.getByLabel("API key").check();
  await page.getByRole("button", { name: "Create credential" }).click();
  await expect(page.getByRole("link", { name: "Enter the secret" })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Shop journeys");
  await page.getByLabel("Domain").fill("*.Shop.example.com");
  await page.getByLabel("Name of the header").fill("X-Shop-Key");
  await page.locator("[name=secret]").fill("key-1");
  await page.getByRole("button", { name: "Create credential" }).click();
  await expect(page.getByText("Shop journeys is stored, for *.shop.example.com only.")).toBeVisible();

  await page.getByLabel("Fits the host").fill("eu.shop.example.com");
  await page.getByLabel("Search by name or domain").fill("shop journeys");
  await page.getByRole("button", { name: "Filter" }).click();
  const row = page.getByRole("row").filter({ hasText: "Shop journeys" });
  await expect(row).toContainText("API key in header X-Shop-Key");
  await page.goto("/administration/credentials/domain/eu.shop.example.com");
  await expect(row).toHaveCount(1);
  await page.goto("/administration/credentials/domain/shop.example.org");
  await expect(page.getByText("Nothing may be sent there")).toBeVisible();

  await page.goto("/administration/credentials?query=shop");
  await page.getByRole("link", { name: "Shop journeys" }).click();
  await page.getByLabel("Domain").fill("other.example.com");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Enter the secret again: it was given for another domain").first()).toBeVisible();
  await expect(page.getByLabel("Domain")).toHaveValue("other.example.com");
  await page.locator("[name=secret]").fill("key-2");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Shop journeys is saved.")).toBeVisible();

  await page.getByRole("link", { name: "Shop journeys" }).click();
  await page.getByRole("link", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete Shop journeys?" });
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("link", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete credential" }).click();
  await expect(page.getByText("Shop journeys is deleted.")).toBeVisible();
  await expect(row).toHaveCount(0);
});

test("a secret is never in a page, not even in the answer to a form that was refused", async ({ signedIn }) => {
  await signedIn.goto("/administration/credentials/create");
  await signedIn.getByLabel("Bearer").check();
  await signedIn.getByLabel("Name", { exact: true }).fill("Canary");
  await signedIn.getByLabel("Domain").fill("https://not a host");
  await signedIn.locator("[name=secret]").fill("canary-9c1e");
  await signedIn.getByRole("button", { name: "Create credential" }).click();
  await expect(signedIn.getByText("Write a host name as in api.example.com").first()).toBeVisible();
  expect(await signedIn.content()).not.toContain("canary-9c1e");
  await signedIn.getByLabel("Domain").fill("canary.example.com");
  await signedIn.locator("[name=secret]").fill("canary-9c1e");
  await signedIn.getByRole("button", { name: "Create credential" }).click();
  await signedIn.getByRole("link", { name: "Canary", exact: true }).click();
  await expect(signedIn.locator("[name=secret]")).toHaveValue("");
  expect(await signedIn.content()).not.toContain("canary-9c1e");
});

test("the form shows the fields of the chosen type", async ({ signedIn }) => {
  await signedIn.goto("/administration/credentials/create");
  await expect(signedIn.getByLabel("User name")).toBeVisible();
  await expect(signedIn.getByLabel("Name of the header")).toBeHidden();
  await signedIn.getByLabel("API key").check();
  await expect(signedIn.getByLabel("User name")).toBeHidden();
  await expect(signedIn.getByLabel("Name of the header")).toBeVisible();
  await signedIn.getByLabel("Bearer").check();
  await expect(signedIn.getByLabel("Name of the header")).toBeHidden();
  await expectAccessible(signedIn);
});
