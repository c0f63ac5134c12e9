import { requireAnswer } from "../../services/kit/client/client.ts";
import { expect, test } from "../support/portal-test.ts";
import { makeTests, runAllAndTheFailedAgain, standingOf, untilEnded } from "../support/run-life.ts";

test("all tests are run, what failed is read and run again", async ({ signedIn: page, portal, targetApi }) => {
  await runAllAndTheFailedAgain(page, await makeTests(portal, targetApi), true);
});

test("a run is looked at again, and what has not started is cancelled", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const { backend, apiId, testIds } = await makeTests(portal, targetApi, 2);
  const tests = ["Waits 1", "Waits 2", "Lists books"].map((name) => testIds[name]!);
  const body = { source: { tests }, order: "sequential" as const };
  const { id } = requireAnswer(await backend.testExecutioner.startRun({ body }), "starting");
  await page.goto(`/test-management/${apiId}/runs/${id}`);
  await expect(standingOf(page)).toHaveText(/Queued|Running/);
  await page.getByRole("button", { name: "Cancel" }).click();
  await untilEnded(page, true);
  await expect(page.getByRole("row", { name: /Lists books/ }).last()).toContainText("Cancelled");
});

test("runs are found by verdict and by what started them, reports are files", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const { backend, apiId, testIds } = await makeTests(portal, targetApi);
  for (const [name, trigger] of [
    ["Lists books", "ci"],
    ["Wants the impossible", "api"],
  ] as const) {
    const body = { source: { tests: [testIds[name]!] }, trigger };
    requireAnswer(await backend.testExecutioner.startRun({ query: { wait: 20 }, body }), "starting");
  }
  await page.goto(`/test-management/${apiId}/runs`);
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByLabel("Verdict").selectOption("failed");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row", { name: /Wants the impossible/ })).toContainText("API call");
  await page.getByLabel("Started by").selectOption("ci");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("No run fits")).toBeVisible();
  await page.getByRole("link", { name: "Clear" }).click();

  await page.getByRole("link", { name: "Wants the impossible" }).click();
  await expect(page).toHaveURL(/\/runs\/[^/?]+$/);
  const address = page.url();
  for (const [format, type] of [
    ["json", "application/json"],
    ["junit", "application/junit+xml"],
    ["har", "application/har+json"],
  ] as const) {
    const answer = await page.request.get(`${address}/report?format=${format}`);
    expect(answer.status()).toBe(200);
    expect(answer.headers()).toMatchObject({
      "content-type": type,
      "content-disposition": expect.stringMatching(/^attachment; filename="run-/),
      "x-content-type-options": "nosniff",
    });
  }
  await page.getByRole("link", { name: "Wants the impossible" }).first().click();
  await expect(page).toHaveURL(/\/verifications$/);
  await expect(page.getByText("The answer is not what this test expects")).toBeVisible();
  await page.getByRole("link", { name: "See its run" }).click();
  await expect(page).toHaveURL(address);
});
