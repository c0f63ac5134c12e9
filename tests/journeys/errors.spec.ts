import { type FailingService, startFailingService } from "../support/failing-service.ts";
import type { PortalProcess } from "../support/portal-process.ts";
import { test as base, expect, expectAccessible } from "../support/portal-test.ts";
import { startPostgresPortal } from "../support/postgres-portal.ts";

const forbidden = "You don't have permission to access this resource";

let failing: FailingService;
let elsewhere: PortalProcess;
/** A portal whose api-registry is a failing remote service. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the parts a fixture needs from this pattern.
  portal: async ({}, use) => use(elsewhere),
});
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  failing = await startFailingService();
  elsewhere = await startPostgresPortal({ API_REGISTRY_URL: failing.origin });
});
test.afterAll(async () => {
  await elsewhere.stop();
  await failing.stop();
});

test("403: a toast says so and is closed with Ok; the page says who can change it", async ({ signedIn: page }) => {
  failing.respondWith(403);
  const response = await page.goto("/api-management/list");
  expect(response?.status()).toBe(403);
  const toast = page.getByRole("alert").filter({ hasText: forbidden });
  await expect(toast.getByText("Error", { exact: true })).toBeVisible();
  await expect(toast.getByText("just now")).toBeVisible();
  await expectAccessible(page);
  await toast.getByRole("button", { name: "Ok" }).click();
  await expect(toast).toBeHidden();
  await expect(page.getByRole("heading", { level: 1, name: forbidden })).toBeVisible();
});

test("500: the page shows the request id and no toast", async ({ signedIn: page }) => {
  failing.respondWith(500);
  const response = await page.goto("/api-management/list");
  expect(response?.status()).toBe(500);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Something went wrong on our side");
  await expect(page.getByText(response?.headers()["x-request-id"] ?? "")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expectAccessible(page);
});
