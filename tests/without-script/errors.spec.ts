import { signInBesideTheDashboard, test } from "../support/failing-portal.ts";
import { expect } from "../support/portal-test.ts";

const list = "/api-management/list";

test("every row of the error catalogue is told, and led on from, without script", async ({ page, portal, failing }) => {
  await signInBesideTheDashboard(page, portal);

  failing.answerWith(403);
  expect((await page.goto(list))?.status()).toBe(403);
  const toast = page.getByRole("alert").filter({ hasText: "You don't have permission to access this resource" });
  await expect(toast.getByText("Error", { exact: true })).toBeVisible();
  await toast.getByRole("button", { name: "Ok" }).click();
  await expect(toast.getByText("Error", { exact: true })).toBeHidden();

  failing.answerWith(500);
  expect((await page.goto(list))?.status()).toBe(500);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Something went wrong on our side");
  await expect(page.getByText("tell your administrator this request id")).toBeVisible();

  failing.answerWith(0);
  expect((await page.goto(list))?.status()).toBe(503);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("APIs are not available right now");

  expect((await page.goto("/nowhere"))?.status()).toBe(404);
  await expect(page.getByRole("link", { name: "Go to the dashboard" })).toHaveAttribute("href", "/dashboard");

  failing.answerWith(401);
  await page.goto(list);
  await expect(page).toHaveURL(`/login?redirectTo=${encodeURIComponent(list)}`);
  const names = (await page.context().cookies()).map(({ name }) => name);
  expect(names.sort()).toEqual(["account", "cookiesAccepted"]);
});
