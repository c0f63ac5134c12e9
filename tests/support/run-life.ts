import type { Page } from "@playwright/test";
import { requireAnswer } from "../../services/kit/client/client.ts";
import { type PortalBackend, registerApi, signInToBackend } from "./portal-backend.ts";
import type { PortalProcess } from "./portal-process.ts";
import { expect } from "./portal-test.ts";
import type { TargetApi } from "./target-api.ts";

export interface RunLife {
  backend: PortalBackend;
  apiId: string;
  /** By the name of the test. */
  testIds: Record<string, string>;
}

/** An API with tests: one that passes, one that fails, and as many slow ones as asked for. */
export async function makeTests(portal: PortalProcess, targetApi: TargetApi, slow = 0): Promise<RunLife> {
  const backend = await signInToBackend(portal);
  const apiId = await registerApi(backend, targetApi.documentUrl);
  const wanted = [
    { name: "Lists books", path: "/books", status: 200 },
    { name: "Wants the impossible", path: "/books", status: 418 },
    ...Array.from({ length: slow }, (_, index) => ({ name: `Waits ${index + 1}`, path: "/slow", status: 200 })),
  ];
  const testIds: Record<string, string> = {};
  for (const { name, path, status } of wanted) {
    const created = await backend.testRegistry.createTest({
      params: { apiId },
      body: {
        ...{ name, method: "get", path, request: {} },
        assertions: [{ source: "statusCode", comparison: "equals", target: status }],
      },
    });
    testIds[name] = requireAnswer(created, "creating a test").id;
  }
  return { backend, apiId, testIds };
}

export async function listRuns({ backend, apiId }: RunLife) {
  return requireAnswer(await backend.testExecutioner.listRuns({ query: { apiId } }), "listing runs").items;
}

/** From "Run all" to the run of what failed, whose page stays open. */
export async function runAllAndTheFailedAgain(page: Page, life: RunLife, looksAgain: boolean): Promise<void> {
  await page.goto(`/test-management/${life.apiId}/manage`);
  await page.getByRole("button", { name: "Run all" }).click();
  await expect(page).toHaveURL(/\/runs\/[^/]+$/);
  await untilEnded(page, looksAgain);
  const first = page.url();
  await expect(page.getByRole("heading", { name: "Run of 2 tests", level: 1 })).toBeVisible();
  const failures = failuresOn(page);
  await expect(failures).toContainText("Wants the impossible");
  await expect(failures).toContainText("418");
  await expect(page.getByRole("img", { name: "When each member ran" })).toBeVisible();
  await expect(page.getByRole("row", { name: /Lists books/ }).last()).toContainText("Passed");

  await page.getByRole("button", { name: "Run the failed again (1)" }).click();
  await expect(page).not.toHaveURL(first);
  await expect(page).toHaveURL(/\/runs\/[^/]+$/);
  await untilEnded(page, looksAgain);
  await expect(page.getByRole("heading", { name: "Run of 1 test", level: 1 })).toBeVisible();
  await expect(page.getByText("Run again").first()).toBeVisible();
  expect((await listRuns(life)).map(({ trigger }) => trigger)).toEqual(["rerun", "manual"]);
}

/** What stands first on a run's page. */
export function failuresOn(page: Page) {
  return page.locator("section").filter({ has: page.getByRole("heading", { name: "Failures" }) });
}

/** The badge beside the name of the run. */
export function standingOf(page: Page) {
  return page.getByRole("heading", { level: 1 }).locator("xpath=following-sibling::*");
}

/** With script the page comes to the run's end by itself; without, somebody looks again. */
export async function untilEnded(page: Page, looksAgain: boolean): Promise<void> {
  const refresh = page.getByRole("link", { name: "Refresh", exact: true });
  await expect(async () => {
    if (looksAgain && (await refresh.isVisible())) await refresh.click();
    await expect(standingOf(page)).not.toHaveText(/Queued|Running/, { timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
}
