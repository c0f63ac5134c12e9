import { expect, test } from "../support/portal-test.ts";

test("the page of Vault asks for a role id only where AppRole is chosen", async ({ signedIn: page }) => {
  await page.goto("/administration/vault");
  const roleId = page.getByLabel("Role id");
  await expect(page.getByRole("radio", { name: "Token" })).toBeChecked();
  await expect(roleId).toBeHidden();
  await page.getByRole("radio", { name: "Token" }).press("ArrowDown");
  await expect(roleId).toBeVisible();
  await page.getByRole("radio", { name: "AppRole" }).press("ArrowUp");
  await expect(roleId).toBeHidden();
});
