import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type FormPage, withoutAges } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { listRuns, makeTests } from "../support/made-tests.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

/** A run's page once the run has ended, after repeated reloads. */
async function getEnd(run: FormPage): Promise<FormPage> {
  let page = run;
  await vi.waitUntil(
    async () => {
      if (!/Queued|Running|Cancelling/.test(page.text)) return true;
      page = await page.follow("Refresh");
      return false;
    },
    { timeout: 300_000, interval: 50 },
  );
  return page;
}

test("all tests are run, failures are read and run again", async () => {
  const life = await makeTests(portal.backend, targetApi);
  const first = await getEnd(await (await visitor.open(`/test-management/${life.apiId}/manage`)).submit("Run 2 tests"));
  expect(first.heading).toBe("Run of 2 tests");
  expect(first.address).toMatch(/\/runs\/[^/]+$/);
  expect(first.text).toMatch(/Failures.*Wants the impossible.*new.*418.*1 passed/);
  expect(first.rows("Lists books")[0]).toContain("Passed");
  expect(first.rows("Wants the impossible")).toHaveLength(1);
  const second = await getEnd(await first.submit("Run failed again (1)"));
  expect(second.address).not.toBe(first.address);
  expect(second.heading).toBe("Run of 1 test");
  expect(second.text).toContain("What failed in an earlier run");
  expect(second.text).toMatch(/Failures.*Wants the impossible.*failing for 2 runs/);
  expect((await listRuns(life)).map(({ trigger }) => trigger)).toEqual(["rerun", "manual"]);
});

test("tests that may change data are run only after asking, listed by method", async () => {
  const life = await makeTests(portal.backend, targetApi);
  const { backend, apiId } = life;
  for (const method of ["post", "delete", "post"] as const) {
    const assertions = [{ source: "statusCode" as const, comparison: "lessThan" as const, target: 600 }];
    const body = { name: `Sends ${method}`, method, path: "/books", request: {}, assertions };
    requireValue(await backend.testRegistry.createTest({ params: { apiId }, body }), "creating a test");
  }
  for (const at of [`/test-management/${apiId}/tests?sort=name`, `/api-management/${apiId}/swagger`]) {
    const safe = await getEnd(await (await visitor.open(at)).submit("Run 2 safe tests"));
    expect(safe.heading).toBe("Run of 2 tests");
    expect(safe.text).toContain("3 unsafe tests skipped");
    const requested = await (await visitor.open(at)).follow("Run all 5…");
    expect(requested.text).toMatch(/Run 3 tests that may change data\?.*runs 1 DELETE and 2 POST/);
    expect(requested.address).toContain(at);
    expect((await requested.follow("Cancel")).address).toBe(at);
    expect((await listRuns(life)).map(({ counts }) => counts.tests)).not.toContain(5);
  }
  const requested = await visitor.open(`/test-management/${apiId}/tests?dialog=run-all`);
  expect((await getEnd(await requested.submit("Run all 5"))).heading).toBe("Run of 5 tests");
});

test("the last failures are run again from any page, after asking where they may change data", async () => {
  const life = await makeTests(portal.backend, targetApi);
  const { backend, apiId, testIds } = life;
  const at = `/api-management/${apiId}/details`;
  await getEnd(await (await visitor.open(at)).submit("Run 2 tests"));
  const one = await getEnd(await (await visitor.open(at)).submit("Run 1 that failed"));
  expect(one.heading).toBe("Run of Wants the impossible");

  const assertions = [{ source: "statusCode" as const, comparison: "equals" as const, target: 418 }];
  const body = { name: "Adds", method: "post" as const, path: "/books", request: {}, assertions };
  const { id } = requireValue(await backend.testRegistry.createTest({ params: { apiId }, body }), "creating a test");
  const source = { tests: [id, testIds["Lists books"]!] };
  requireValue(await toTheEnd(backend.testExecutioner).startRun({ body: { source } }), "running");
  const requested = await (await visitor.open(at)).submit("Run 2 that failed");
  expect(requested.text).toMatch(/Run 1 test that may change data\?.*In addition to safe tests, this runs 1 POST/);
  expect(await listRuns(life)).toHaveLength(3);
  expect((await getEnd(await requested.submit("Run 2 tests"))).heading).toBe("Run of 2 tests");
});

test("a run is refreshed, and members that have not started are cancelled", async () => {
  const { backend, apiId, testIds } = await makeTests(portal.backend, targetApi, 2);
  const tests = ["Waits 1", "Waits 2", "Lists books"].map((name) => testIds[name]!);
  const body = { source: { tests }, order: "sequential" as const };
  const { id } = requireValue(await backend.testExecutioner.startRun({ body }), "starting");
  const cancelled = await (await visitor.open(`/test-management/${apiId}/runs/${id}`)).submit("Cancel");
  expect(cancelled.text).toMatch(/executions were cancelled/);
  const ended = await getEnd(cancelled);
  expect(ended.rows("Lists books").at(-1)).toContain("Cancelled");
});

test("runs are found by verdict and by trigger, and link to the verifications of their members", async () => {
  const { backend, apiId, testIds } = await makeTests(portal.backend, targetApi);
  const program = await backend.asProgram();
  for (const [name, trigger] of [
    ["Lists books", "ci"],
    ["Wants the impossible", "api"],
  ] as const) {
    const body = { source: { tests: [testIds[name]!] }, trigger };
    requireValue(await toTheEnd(program.testExecutioner).startRun({ body }), "starting");
  }
  const list = await visitor.open(`/test-management/${apiId}/runs`);
  expect([list.rows("Lists books").length, list.rows("Wants the impossible").length]).toEqual([1, 1]);
  const failed = await list.submit("Filter", { verdict: "failed" });
  expect(failed.rows("Lists books")).toEqual([]);
  expect(failed.rows("Wants the impossible")).toEqual([expect.stringContaining("token “Nightly build”")]);
  const none = await failed.submit("Filter", { trigger: "ci" });
  expect(none.text).toContain("No matching runs");
  const run = await (await none.follow("Clear")).follow("Wants the impossible");
  expect(run.address).toMatch(/\/runs\/[^/?]+$/);
  const verifications = await run.follow("Wants the impossible");
  expect(verifications.address).toMatch(/\/verifications$/);
  expect(verifications.text).toContain("Expected status code 418, got 200.");
  expect((await verifications.follow("Its run")).address).toBe(run.address);
  const results = await visitor.open(verifications.address.replace("verifications", "results"));
  expect(withoutAges(results.text)).toBe(withoutAges(verifications.text));
  expect(results.html).toMatch(/<h2 id="results" tabindex="-1" autofocus="">/i);
  expect(verifications.html).not.toContain("autofocus");
});

test("a run's reports are files", async () => {
  const { backend, apiId, testIds } = await makeTests(portal.backend, targetApi);
  const started = await toTheEnd(backend.testExecutioner).startRun({
    body: { source: { tests: Object.values(testIds) } },
  });
  const { id } = requireValue(started, "starting");
  for (const [format, type] of [
    ["json", "application/json"],
    ["junit", "application/junit+xml"],
    ["har", "application/har+json"],
  ] as const) {
    const report = await visitor.open(`/test-management/${apiId}/runs/${id}/report?format=${format}`);
    expect(report.status).toBe(200);
    expect(Object.fromEntries(report.headers)).toMatchObject({
      "content-type": type,
      "content-disposition": expect.stringMatching(/^attachment; filename="run-/),
      "x-content-type-options": "nosniff",
    });
  }
});

test("H08: a body is saved as stored: a text file that no browser interprets otherwise", async () => {
  const { backend, apiId, testIds } = await makeTests(portal.backend, targetApi);
  const testId = testIds["Lists books"]!;
  const requested = await toTheEnd(backend.testExecutioner).runTest({ params: { testId }, body: {} });
  const { id } = requireValue(requested, "running");
  const results = await visitor.open(`/test-management/${apiId}/tests/${testId}/executions/${id}/results`);
  const file = await results.follow("Save as a file");
  expect(Object.fromEntries(file.headers)).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "content-disposition": `attachment; filename="response-${id}-1.txt"`,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "content-security-policy": expect.stringContaining("default-src"),
  });
  const read = await backend.testExecutioner.getExecution({ params: { executionId: id } });
  expect(file.html).toBe(requireValue(read, "reading").attempts[0]!.response!.body);
  for (const search of ["attempt=2&of=response", "attempt=1&of=request", ""]) {
    expect((await visitor.open(`${file.url.pathname}?${search}`)).status).toBe(404);
  }
  expect((await visitor.open(file.address.replace(testId, apiId))).status).toBe(404);
});
