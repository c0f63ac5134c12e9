import { randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireValue } from "../../services/kit/client/client.ts";
import { openExampleCircle } from "../support/example-circle.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { expect, test } from "../support/portal-test.ts";
import { judgeAll, visitAll } from "../support/visit-all.ts";

type Shop = Awaited<ReturnType<typeof openExampleCircle>>["shop"];

/** Runs of the example's circle: two without the shop's problems, then three with them. */
async function makeHistory(backend: PortalBackend, shop: Shop, testCircleId: string): Promise<string> {
  const { testExecutioner } = await backend.asProgram();
  const params = { testCircleId };
  let runId = "";
  for (const hasProblems of [false, false, true, true, true]) {
    shop.setProblems(hasProblems);
    const headers = { "idempotency-key": randomUUID() };
    for (;;) {
      const started = await testExecutioner.runCircle({ params, headers, query: { wait: 30 }, body: {} });
      const { id, state } = requireValue(started, "running the circle");
      runId = id;
      if (state === "finished") break;
    }
  }
  await expect
    .poll(
      async () => requireValue(await backend.testAnalyzer.listIncidents({ query: params }), "incidents").items.length,
    )
    .toBeGreaterThan(0);
  return runId;
}

test("axe finds nothing on lists with history, open dialogs, errors and toasts", async ({ signedIn: page, portal }) => {
  const backend = await signInToBackend(portal);
  const { shop, testCircleId } = await openExampleCircle(backend, await mkdtemp(join(tmpdir(), "shop-")));
  try {
    const runId = await makeHistory(backend, shop, testCircleId);
    const circle = requireValue(await backend.testRegistry.getCircle({ params: { testCircleId } }), "the circle");
    const apiId = circle.apiIds[0]!;
    const body = { name: "Every hour", cron: "7 * * * *", timeZone: "UTC" };
    requireValue(await backend.testRegistry.createSchedule({ params: { testCircleId }, body }), "the schedule");
    const { items } = requireValue(await backend.testExecutioner.listFailingTests({ query: { apiId } }), "failing");
    const api = `/test-management/${apiId}`;
    await visitAll(page, [
      `${api}/manage`,
      `${api}/tests`,
      `${api}/tests?sort=verdict`,
      `${api}/tests/${items[0]!.testId}/executions/list`,
      `${api}/runs`,
      `${api}/runs/${runId}`,
      `${api}/test-circles/list`,
      `${api}/test-circles/${testCircleId}`,
      `${api}/test-circles/${testCircleId}/executions/list`,
      "/test-management/test-circles/list",
      "/test-management/incidents",
      "/test-management/runs",
      "/test-management/failing-tests",
      "/test-management/schedules",
      "/administration/audit-log",
      `${api}/tests?dialog=delete&testId=${items[0]!.testId}`,
    ]);

    await page.goto(`${api}/tests?safe=false`);
    await page.getByRole("checkbox", { name: /^All/ }).check();
    await judgeAll(page, "ticked rows");
    await page.getByRole("button", { name: "Run selected" }).click();
    await expect(page.getByRole("alertdialog")).toContainText("may change data");
    await judgeAll(page, "the question before a run");

    const tickedLists = [
      `${api}/runs?sort=verdict`,
      `${api}/test-circles/list`,
      `${api}/test-circles/${testCircleId}/executions/list`,
      `${api}/tests/${items[0]!.testId}/executions/list`,
      "/test-management/incidents",
    ];
    for (const list of tickedLists) {
      await page.goto(list);
      await page.getByRole("checkbox", { name: /^All/ }).check();
      await judgeAll(page, `ticked rows of ${list}`);
    }
    await page.getByRole("button", { name: /^Comment on selected/ }).click();
    await expect(page.getByRole("alertdialog")).toContainText("Comment on");
    await judgeAll(page, "the question about incidents");

    await page.goto(`${api}/test-circles/create`);
    await page
      .getByRole("button", { name: /^Create/ })
      .last()
      .click();
    await expect(page.getByRole("alert").first()).toBeVisible();
    await judgeAll(page, "a form with errors");

    await page.goto(`${api}/tests?query=Signs+in`);
    await page.getByRole("checkbox", { name: /^Select/ }).check();
    await page.getByRole("button", { name: "Disable selected" }).click();
    await expect(page.getByText("1 test disabled.")).toBeVisible();
    await judgeAll(page, "a toast");
  } finally {
    await shop.close();
  }
});
