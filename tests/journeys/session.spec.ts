import type { Page } from "@playwright/test";
import { expect, expectAccessible, signIn, test } from "../support/portal-test.ts";

const banner = (page: Page) => page.getByRole("complementary", { name: "Cookies" });

async function tryToSignIn(page: Page, username: string, password: string) {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page
    .getByRole("button", { name: /log in|^login$/i })
    .last()
    .click();
}

test("a wrong password is reported, keeps the username and sets no cookie", async ({ page }) => {
  await page.goto("/login");
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await tryToSignIn(page, "somebody", "not the password");
  expect((await answered).status()).toBe(401);
  await expect(page.getByText("Username or password is wrong").first()).toBeVisible();
  await expect(page.getByLabel("Username")).toHaveValue("somebody");
  await expect(page.getByLabel("Password")).toHaveValue("");
  expect(await page.context().cookies()).toEqual([]);
  await expectAccessible(page);
});

test("empty fields are reported at the fields, and the summary links to them", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("button", { name: /log in/i }).click();
  await page.getByRole("link", { name: "Enter your password" }).click();
  await expect(page.getByLabel("Password")).toBeFocused();
});

test("the session is stored in httpOnly cookies of ten hours, with consent of thirty days", async ({
  page,
  portal,
}) => {
  await signIn(page, portal);
  const cookies = await page.context().cookies();
  const hours = (expires: number) => Math.round((expires - Date.now() / 1_000) / 3_600);
  for (const cookie of cookies.filter(({ name }) => name.startsWith("session."))) {
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
    expect(hours(cookie.expires)).toBe(10);
    expect(cookie.value.length).toBeLessThanOrEqual(4_000);
  }
  const consent = cookies.find(({ name }) => name === "cookiesAccepted");
  expect(consent).toMatchObject({ value: "Y", sameSite: "Lax" });
  expect(hours(consent!.expires)).toBe(30 * 24);
  expect(await page.evaluate(() => document.cookie)).not.toContain("session");
});

test("nothing is stored before consent, whatever is visited or sent", async ({ page }) => {
  for (const path of ["/", "/login", "/privacy-policy", "/legal", "/nowhere"]) {
    await page.goto(path);
    await expect(banner(page)).toBeVisible();
  }
  await page.goto("/login");
  await tryToSignIn(page, "", "");
  await page.goto("/signout");
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
});

test("declining hides the banner for this tab, in which every public page remains available", async ({
  page,
  context,
}) => {
  await page.goto("/legal");
  await banner(page).getByRole("button", { name: "Decline cookies" }).click();
  await expect(page).toHaveURL("/legal");
  await expect(banner(page)).toBeHidden();
  await page.goto("/privacy-policy");
  await expect(banner(page)).toBeHidden();
  await expect(page.getByRole("heading", { name: "Cookies" })).toBeVisible();
  await page.goto("/login");
  await expect(banner(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "Accept essential cookies and log in" })).toBeVisible();
  expect(await context.cookies()).toEqual([]);
  const otherTab = await context.newPage();
  await otherTab.goto("/legal");
  await expect(banner(otherTab)).toBeVisible();
});

test("declining removes everything that was stored", async ({ page, context, portal }) => {
  await signIn(page, portal);
  const foreign = { name: "left-over", value: "1", url: portal.origin };
  await context.addCookies([foreign]);
  // The consent expires after thirty days; declining afterwards must remove the remainder, too.
  await context.clearCookies({ name: "cookiesAccepted" });
  await page.goto("/");
  await context.addCookies([foreign]);
  await banner(page).getByRole("button", { name: "Decline cookies" }).click();
  await expect(banner(page)).toBeHidden();
  expect(await context.cookies()).toEqual([]);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
});
