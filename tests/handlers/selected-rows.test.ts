import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import type { FormPage } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { type MadeTests, makeTests, runByPipeline } from "../support/made-tests.ts";
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

/** Ids of the rows that a list offers to select, in its order. */
const selectable = ({ html }: FormPage) =>
  (html.match(/<input [^>]*name="selected"[^>]*>/g) ?? [])
    .filter((input) => input.includes('type="checkbox"'))
    .map((input) => /value="([^"]+)"/.exec(input)![1]!);

async function createCircle(made: MadeTests, name: string, testName = "Lists books") {
  const body = { name, members: [{ kind: "test" as const, testId: made.testIds[testName]! }] };
  return requireValue(await portal.backend.testRegistry.createCircle({ body }), "circle");
}

async function run({ backend }: MadeTests, source: object): Promise<string> {
  const body = { source } as Parameters<typeof backend.testExecutioner.startRun>[0]["body"];
  return requireValue(await toTheEnd(backend.testExecutioner).startRun({ body }), "run").id;
}

test("ticked circles are run, paused, resumed and, after asking, deleted together", async () => {
  const made = await makeTests(portal.backend, targetApi);
  const { testRegistry, testExecutioner } = portal.backend;
  const circles = [await createCircle(made, "Grouped A"), await createCircle(made, "Grouped B")];
  for (const { id } of circles) {
    const body = { cron: "@daily", timeZone: "UTC" };
    requireValue(await testRegistry.createSchedule({ params: { testCircleId: id }, body }), "schedule");
  }
  const list = await visitor.open(`/test-management/${made.apiId}/test-circles/list?query=Grouped`);
  const ticked = { selected: selectable(list) };
  expect(ticked.selected).toEqual(circles.map(({ id }) => id));
  expect((await list.submit("Run selected")).text).toContain("Select circles first.");
  expect((await list.submit("Run selected", ticked)).text).toContain("2 circles started.");
  const { items } = requireValue(await testExecutioner.listRuns({ query: { apiId: made.apiId } }), "runs");
  expect(items).toHaveLength(2);
  const paused = await list.submit("Pause selected schedules", ticked);
  expect(paused.text).toContain("2 schedules paused.");
  expect(paused.rows("Grouped A")[0]).toContain("Paused");
  expect((await list.submit("Pause selected schedules", ticked)).text).toContain(
    "No schedule of these circles is running",
  );
  expect((await list.submit("Resume selected schedules", ticked)).text).toContain("2 schedules resumed.");
  const requested = await list.submit("Delete selected…", ticked);
  expect(requested.text).toContain("Delete 2 circles?");
  const stored = await requested.follow("Cancel");
  expect(stored.html.match(/<input type="checkbox"[^>]* checked=""/g)).toHaveLength(2);
  expect((await requested.submit("Delete 2 circles")).text).toContain("2 circles deleted.");
  expect(selectable(await visitor.open(list.address))).toEqual([]);
});

test("circles are sorted by name, verdict and last run; those of deleted circles are passed over", async () => {
  const made = await makeTests(portal.backend, targetApi);
  const good = await createCircle(made, "Sorted good");
  const bad = await createCircle(made, "Sorted bad", "Wants the impossible");
  const gone = await createCircle(made, "Sorted gone", "Wants the impossible");
  await createCircle(made, "Sorted never run");
  for (const { id } of [good, bad, gone]) await run(made, { testCircleId: id });
  requireValue(await portal.backend.testRegistry.deleteCircle({ params: { testCircleId: gone.id } }), "delete");
  const list = await visitor.open(`/test-management/${made.apiId}/test-circles/list`);
  expect(selectable(list).slice(0, 2)).toEqual([bad.id, good.id]);
  expect(selectable(await list.follow("Circle")).at(-1)).toBe(bad.id);
  const byRun = await list.follow("Last run");
  expect(selectable(byRun)).toEqual([bad.id, good.id]);
  expect(byRun.text).toContain("Circles that have not run are not in this order.");
  expect(selectable(await byRun.follow("Last run"))).toEqual([good.id, bad.id]);
  const byVerdict = await list.follow("Verdict");
  expect(selectable(byVerdict)).toEqual([bad.id, good.id]);
  expect(selectable(await byVerdict.follow("Verdict"))).toEqual([good.id, bad.id]);
  expect((await byVerdict.submit("Filter", { query: "good" })).address).toMatch(/\?sort=verdict&query=good$/);
});

test("ticked runs are compared, repeated and cancelled, and sorted by verdict and start", async () => {
  const made = await makeTests(portal.backend, targetApi, 1);
  const good = await run(made, { tests: [made.testIds["Lists books"]!] });
  const bad = await run(made, { tests: [made.testIds["Wants the impossible"]!] });
  const list = await visitor.open(`/test-management/${made.apiId}/runs`);
  expect(selectable(list)).toEqual([bad, good]);
  expect(selectable(await list.follow("Started"))).toEqual([good, bad]);
  const byVerdict = await list.follow("Verdict");
  expect(selectable(byVerdict)).toEqual([bad, good]);
  expect(selectable(await byVerdict.follow("Verdict"))).toEqual([good, bad]);
  expect((await list.submit("Compare selected", { selected: [good] })).text).toContain("Select two runs");
  const compared = await list.submit("Compare selected", { selected: [good, bad] });
  expect(compared.address).toContain(`/runs/${bad}/comparison?with=${good}`);
  expect((await list.submit("Cancel selected", { selected: [good] })).text).toContain(
    "1 selected run had ended before.",
  );
  const body = {
    source: { tests: [made.testIds["Waits 1"]!, made.testIds["Lists books"]!] },
    order: "sequential" as const,
  };
  const { id } = requireValue(await portal.backend.testExecutioner.startRun({ body }), "starting");
  const later = await visitor.open(list.address);
  expect((await later.submit("Compare selected", { selected: [good, id] })).text).toContain("once both have ended");
  expect((await later.submit("Cancel selected", { selected: [good, id] })).text).toContain(
    "1 run cancelled. 1 selected run had ended before.",
  );
  const again = await list.submit("Run selected again", { selected: [good] });
  expect(again.address).toMatch(/\/runs\/[^/]+$/);
  expect(again.address).not.toContain(good);
  expect((await list.submit("Run selected again", { selected: [good, bad] })).text).toContain("2 runs started.");
});

test("runs that may change data are repeated after asking", async () => {
  const made = await makeTests(portal.backend, targetApi);
  const assertions = [{ source: "statusCode" as const, comparison: "lessThan" as const, target: 600 }];
  const body = { name: "Adds", method: "post" as const, path: "/books", request: {}, assertions };
  const params = { apiId: made.apiId };
  const { id } = requireValue(await portal.backend.testRegistry.createTest({ params, body }), "test");
  const runId = await run(made, { tests: [id] });
  const list = await visitor.open(`/test-management/${made.apiId}/runs`);
  const requested = await list.submit("Run selected again", { selected: [runId] });
  expect(requested.text).toContain("They send 1 POST again.");
  expect((await requested.submit("Repeat 1 run")).address).toMatch(/\/runs\/[^/]+$/);
});

test("ticked executions of a test are sorted, and their test runs again", async () => {
  const made = await makeTests(portal.backend, targetApi);
  const testId = made.testIds["Lists books"]!;
  await run(made, { tests: [testId] });
  await run(made, { tests: [testId] });
  const list = await visitor.open(`/test-management/${made.apiId}/tests/${testId}/executions/list`);
  const ids = selectable(list);
  expect(ids).toHaveLength(2);
  expect(selectable(await list.follow("Started"))).toEqual(ids.toReversed());
  expect(selectable(await list.follow("Verdict"))).toEqual(ids);
  expect((await list.submit("Run selected again")).text).toContain("Select executions first.");
  expect((await list.submit("Cancel selected", { selected: ids })).text).toContain(
    "2 selected executions had started or ended before.",
  );
  expect((await list.submit("Run selected again", { selected: ids })).address).toMatch(/\/runs\/[^/]+$/);
});

test("ticked incidents are acknowledged, muted, commented on and, after asking, resolved", async () => {
  const made = await makeTests(portal.backend, targetApi);
  await runByPipeline(made);
  const address = `/test-management/incidents?apiId=${made.apiId}`;
  let list = await visitor.open(address);
  await vi.waitUntil(
    async () => {
      list = await visitor.open(address);
      return selectable(list).length > 0;
    },
    { timeout: 300_000, interval: 100 },
  );
  const ticked = { selected: selectable(list) };
  expect((await list.submit("Acknowledge selected")).text).toContain("Select incidents first.");
  expect((await list.submit("Acknowledge selected", ticked)).text).toContain("1 incident acknowledged by you.");
  const muting = await list.submit("Mute selected…", ticked);
  expect((await muting.submit("Mute 1 incident", { mute: "4h" })).text).toContain("1 incident muted");
  const commenting = await list.submit("Comment on selected…", ticked);
  expect((await commenting.submit("Add comment", { text: " " })).errors("text")).toContain("Write a comment");
  expect((await commenting.submit("Add comment", { text: "Known" })).text).toContain("Comment added to 1 incident.");
  expect((await list.follow("Since")).address).toContain("sort=newest");
  const resolving = await list.submit("Resolve selected…", ticked);
  expect(selectable(await resolving.follow("Cancel"))).toEqual(ticked.selected);
  expect((await resolving.submit("Resolve 1 incident")).text).toContain("1 incident resolved.");
  expect((await list.submit("Resolve selected…", ticked)).text).toContain("Resolve 1 incident?");
  expect((await list.submit("Acknowledge selected", ticked)).text).toContain("had been resolved before");
  const all = await visitor.open(`${address}&state=all`);
  expect((await all.follow("Since")).address).toContain("sort=oldest");
});
