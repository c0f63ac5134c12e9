import { expect, signIn, test } from "../support/portal-test.ts";
import { joinAs } from "../support/registered-account.ts";

test("the toast about a missing permission is closed with Ok, without script", async ({ page, portal }) => {
  await signIn(page, { ...portal, ...(await joinAs(portal, "VIEWER")) });
  expect((await page.goto("/administration/credentials/create"))?.status()).toBe(403);
  const toast = page.getByRole("alert").filter({ hasText: "You don't have permission to access this resource" });
  await expect(toast.getByText("Error", { exact: true })).toBeVisible();
  await toast.getByRole("button", { name: "Ok" }).click();
  await expect(toast.getByText("Error", { exact: true })).toBeHidden();
});
