import { readFileSync } from "node:fs";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { tabTo } from "../support/keyboard.ts";
import { listRuns, makeTests } from "../support/made-tests.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { expect, test } from "../support/portal-test.ts";
import { getRunStatus, openRunMenu, runAllAndTheFailedAgain, untilEnded } from "../support/run-life.ts";

test("all tests are run, failures are read and run again", async ({ signedIn: page, portal, targetApi }) => {
  await runAllAndTheFailedAgain(page, await makeTests(await signInToBackend(portal), targetApi), false);
});

test("a double click and a repeated POST start one run", async ({ signedIn: page, portal, targetApi }) => {
  const life = await makeTests(await signInToBackend(portal), targetApi);
  await page.goto(`/test-management/${life.apiId}/tests`);
  const key = await page.locator("[name=runKey]").first().inputValue();
  await openRunMenu(page);
  await page.getByRole("button", { name: "Run 2 tests" }).dblclick();
  await expect(page).toHaveURL(/\/runs\/[^/]+$/);
  const form = { intent: "run-safe", runKey: key };
  const headers = { origin: portal.origin };
  const repeated = await page.request.post(`/test-management/${life.apiId}/runs/start`, { form, headers });
  expect(repeated.url()).toBe(page.url());
  expect(await listRuns(life)).toHaveLength(1);

  await page.goto(`/test-management/${life.apiId}/tests`);
  await openRunMenu(page);
  await page.getByRole("button", { name: "Run 2 tests" }).click();
  await expect(page).toHaveURL(/\/runs\/[^/]+$/);
  expect(await listRuns(life)).toHaveLength(2);
});

test("a second tab that starts a run in progress is led to it", async ({ signedIn: page, portal, targetApi }) => {
  const life = await makeTests(await signInToBackend(portal), targetApi, 1);
  const address = `/test-management/${life.apiId}/runs/start`;
  await page.goto(`/test-management/${life.apiId}/manage`);
  await openRunMenu(page);
  const starts = page.getByRole("button", { name: "Run 3 tests" }).click();
  await expect.poll(async () => (await listRuns(life)).length, { intervals: [50] }).toBe(1);
  const form = { intent: "run-safe", runKey: "of-the-second-tab" };
  const second = await page.request.post(address, { form, headers: { origin: portal.origin } });
  await starts;
  await expect(page).toHaveURL(second.url());
  expect(await listRuns(life)).toHaveLength(1);
});

test("a sequential run is followed to its end, which is read out, without loading the page again", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const { backend, apiId, testIds } = await makeTests(await signInToBackend(portal), targetApi, 1);
  const tests = ["Waits 1", "Wants the impossible", "Lists books"].map((name) => testIds[name]!);
  const body = { source: { tests }, order: "sequential" as const };
  const { id } = requireValue(await backend.testExecutioner.startRun({ body }), "starting");
  const events: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "eventsource") events.push(request.url());
  });
  await page.goto(`/test-management/${apiId}/runs/${id}`);
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  await expect(getRunStatus(page)).toHaveText(/Queued|Running/);
  await expect(page.getByRole("progressbar")).toBeVisible();

  await expect(
    page.getByRole("status").filter({ hasText: "The run has ended: failed. 1 failed, 2 passed." }),
  ).toBeAttached({
    timeout: 300_000,
  });
  await expect(getRunStatus(page)).toHaveText("Failed");
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Cancel" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Run failed again (1)" })).toBeVisible();
  expect(await page.evaluate(() => "stayed" in window)).toBe(true);
  expect(events).toEqual([`${portal.origin}/test-management/${apiId}/runs/${id}/events?from=1&to=3`]);
});

test("a run is followed again after its events were refused for a while, as when a portal or the database restarts", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const { backend, apiId, testIds } = await makeTests(await signInToBackend(portal), targetApi, 1);
  const tests = ["Waits 1", "Lists books"].map((name) => testIds[name]!);
  const body = { source: { tests }, order: "sequential" as const };
  const { id } = requireValue(await backend.testExecutioner.startRun({ body }), "starting");
  let refusals = 0;
  await page.route("**/events?*", (route) => {
    if (refusals === 2) return route.continue();
    refusals += 1;
    return route.fulfill({ status: 503, headers: { "retry-after": "1" }, body: "Away" });
  });
  await page.goto(`/test-management/${apiId}/runs/${id}`);
  await expect(page.getByRole("status").filter({ hasText: "The run has ended: passed. 2 passed." })).toBeAttached();
  expect(refusals).toBe(2);
});

test("cancelling ends members that have not started", async ({ signedIn: page, portal, targetApi }) => {
  const { backend, apiId, testIds } = await makeTests(await signInToBackend(portal), targetApi, 2);
  const tests = ["Waits 1", "Waits 2", "Lists books"].map((name) => testIds[name]!);
  const body = { source: { tests }, order: "sequential" as const };
  const { id } = requireValue(await backend.testExecutioner.startRun({ body }), "starting");
  await page.goto(`/test-management/${apiId}/runs/${id}`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText(/executions were cancelled/)).toBeVisible();
  await untilEnded(page, false);
  await expect(page.getByRole("row", { name: /Lists books/ }).last()).toContainText("Cancelled");
});

test("a report is downloaded by keyboard", async ({ signedIn: page, portal, targetApi }) => {
  const { backend, apiId, testIds } = await makeTests(await signInToBackend(portal), targetApi);
  const body = { source: { tests: Object.values(testIds) } };
  const started = await toTheEnd(backend.testExecutioner).startRun({ body });
  const { id } = requireValue(started, "starting");
  await page.goto(`/test-management/${apiId}/runs/${id}`);
  await page.locator("summary", { hasText: "Report" }).focus();
  await page.keyboard.press("Enter");
  await tabTo(page, "link", /JUnit XML/);
  const download = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  const file = await download;
  expect(file.suggestedFilename()).toBe(`run-${id}.junit.xml`);
  const report = readFileSync(await file.path(), "utf8");
  expect(report).toContain('tests="2" failures="1" errors="0"');
  expect(report).toContain('name="Wants the impossible"');
});
