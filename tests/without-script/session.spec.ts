import type { Page } from "@playwright/test";
import { expect, test } from "../support/portal-test.ts";

const banner = (page: Page) => page.getByRole("complementary", { name: "Cookies" });

test("signing in, the profile and logging out need no script", async ({ page, portal }) => {
  await page.goto("/profile");
  await page.getByLabel("Username").fill(portal.username);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Accept essential cookies and log in" }).click();
  await expect(page.getByText("Username or password is wrong").first()).toBeVisible();
  await expect(page.getByLabel("Username")).toHaveValue(portal.username);
  await page.getByLabel("Password").fill(portal.password);
  await page.getByRole("button", { name: "Accept essential cookies and log in" }).click();
  await expect(page).toHaveURL("/profile");
  await expect(page.getByText("This session")).toBeVisible();
  await page.goto("/signout");
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(["cookiesAccepted"]);
});

test("the cookie banner takes both answers without script", async ({ page, context }) => {
  await page.goto("/legal");
  await banner(page).getByRole("button", { name: "Decline cookies" }).click();
  await expect(banner(page)).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(await context.cookies()).toEqual([]);
  // No choice is stored, so the next page asks again.
  await page.goto("/privacy-policy");
  await banner(page).getByRole("button", { name: "Accept essential cookies" }).click();
  await expect(page).toHaveURL("/privacy-policy");
  await expect(banner(page)).toBeHidden();
  expect(await context.cookies()).toMatchObject([{ name: "cookiesAccepted", value: "Y" }]);
});

test("on a small screen the menu opens without script", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toBeHidden();
  await page.getByRole("banner").locator("summary").click();
  await page.getByRole("banner").getByRole("link", { name: "Login" }).click();
  await expect(page).toHaveURL("/login");
});
