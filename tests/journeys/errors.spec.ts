import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { BrowserContext } from "@playwright/test";
import { signInBesideTheDashboard, test } from "../support/failing-portal.ts";
import { startPortalProcess } from "../support/portal-process.ts";
import { expect, expectAccessible } from "../support/portal-test.ts";

const forbidden = "You don't have permission to access this resource";

const sessionCookies = async (context: BrowserContext) =>
  (await context.cookies()).filter(({ name }) => name.startsWith("session"));

test("401: the session is cleared, and the way back leads through the login", async ({ page, portal, failing }) => {
  await signInBesideTheDashboard(page, portal);
  expect(await sessionCookies(page.context())).not.toEqual([]);
  failing.answerWith(401);
  await page.goto("/api-management/list?query=book");
  await expect(page).toHaveURL(`/login?redirectTo=${encodeURIComponent("/api-management/list?query=book")}`);
  expect(await sessionCookies(page.context())).toEqual([]);
  await expect(page.getByRole("heading", { level: 1, name: "Login" })).toBeVisible();
});

test("403: a toast says so and goes with Ok; the page says who can change it", async ({ page, portal, failing }) => {
  await signInBesideTheDashboard(page, portal);
  failing.answerWith(403);
  const response = await page.goto("/api-management/list");
  expect(response?.status()).toBe(403);
  const toast = page.getByRole("alert").filter({ hasText: forbidden });
  await expect(toast.getByText("Error", { exact: true })).toBeVisible();
  await expect(toast.getByText("just now")).toBeVisible();
  await expectAccessible(page);
  await toast.getByRole("button", { name: "Ok" }).click();
  await expect(toast).toBeHidden();
  await expect(page.getByRole("heading", { level: 1, name: forbidden })).toBeVisible();
  expect(await sessionCookies(page.context())).not.toEqual([]);
});

test("500: the page names the id that its calls carried into the log, and nothing of the inside", async ({
  page,
  portal,
  failing,
}) => {
  await signInBesideTheDashboard(page, portal);
  failing.answerWith(500);
  const response = await page.goto("/api-management/list");
  expect(response?.status()).toBe(500);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Something went wrong on our side");
  const requestId = response?.headers()["x-request-id"] ?? "";
  expect(failing.requestIds.at(-1)).toBe(requestId);
  await expect(page.getByText(requestId)).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(await page.content()).not.toMatch(/node_modules|\.js:\d|127\.0\.0\.1/);
  await expectAccessible(page);
});

test("a service that is away is told apart from a fault, and signs nobody out", async ({ page, portal, failing }) => {
  await signInBesideTheDashboard(page, portal);
  failing.answerWith(0);
  const response = await page.goto("/api-management/list");
  expect(response?.status()).toBe(503);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("APIs are not available right now");
  await page.goto("/profile");
  await expect(page.getByRole("heading", { level: 1, name: "Administrator" })).toBeVisible();
});

test("404: an unknown address says so and leads on, signed in or not", async ({ page, portal }) => {
  expect((await page.goto("/nowhere"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await expect(page.getByRole("link", { name: "Go to the start page" })).toHaveAttribute("href", "/");
  await expectAccessible(page);
  await signInBesideTheDashboard(page, portal);
  expect((await page.goto("/administration/nowhere"))?.status()).toBe(404);
  await expect(page.getByRole("link", { name: "Go to the dashboard" })).toBeVisible();
  const absent = await page.goto("/administration/credentials/01900000-0000-7000-8000-000000000000/edit");
  expect(absent?.status()).toBe(404);
});

test("who may only look gets the credentials without the forms, whose addresses answer with the toast", async ({
  browser,
}) => {
  const first = await startPortalProcess({ keepData: true });
  await first.stop();
  const database = new PGlite(join(first.dataDirectory, "database"));
  await database.query("update security_service.memberships set roles = array['VIEWER']");
  await database.close();
  const portal = await startPortalProcess({ dataDirectory: first.dataDirectory });
  const context = await browser.newContext({ baseURL: portal.origin });
  try {
    const page = await context.newPage();
    await signInBesideTheDashboard(page, portal);
    await expect(page.getByText("VIEWER", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Administration" }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Credentials" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Create a credential" })).toHaveCount(0);
    const credential = "/administration/credentials/01900000-0000-7000-8000-000000000000/edit";
    for (const address of ["/administration/credentials/create", credential]) {
      expect((await page.goto(address))?.status()).toBe(403);
      await expect(page.getByRole("alert").filter({ hasText: forbidden })).toBeVisible();
    }
    const posted = await page.request.post("/administration/credentials/create", {
      headers: { origin: portal.origin },
      form: { name: "Orders", domain: "api.test", type: "bearer", secret: "s" },
    });
    expect(posted.status()).toBe(403);
  } finally {
    await context.close();
    await portal.stop();
  }
});
