import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type FormPage, withoutAges } from "../support/form-page.ts";
import { joinAs, mailedLink } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { type MadeTests, makeTests, runByPipeline } from "../support/made-tests.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

const broken = "Wants the impossible";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
let made: MadeTests;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

test("a newcomer sees the steps to take until all of them are done", async () => {
  const first = await visitor.open("/dashboard");
  expect(first.text).toMatch(/6 steps left ?Register your first API/);
  expect(first.text).not.toContain("Failing now");
  expect((await first.follow("Register an API")).address).toBe("/api-management/register");

  made = await makeTests(portal.backend, targetApi);
  const tested = await visitor.open("/dashboard");
  expect(tested.text).toMatch(/4 steps left ?Run your tests ?Bookshop has tests that never ran/);
  expect((await tested.follow("See the tests")).address).toBe(`/test-management/${made.apiId}/tests`);

  await runByPipeline(made);
  const run = await visitor.open("/dashboard");
  expect(run.text).toMatch(/3 steps left ?Run them on a schedule.*Get alerts/);

  const members = [{ kind: "test" as const, testId: made.testIds["Lists books"]! }];
  const { testRegistry, testAnalyzer } = portal.backend;
  const circle = requireValue(await testRegistry.createCircle({ body: { name: "All", members } }), "circle");
  const body = { cron: "@daily", timeZone: "UTC" };
  requireValue(await testRegistry.createSchedule({ params: { testCircleId: circle.id }, body }), "schedule");
  const hook = { kind: "webhook" as const, name: "On call", enabled: true, url: targetApi.documentUrl };
  requireValue(await testAnalyzer.createChannel({ body: hook }), "channel");
  const left = await visitor.open("/dashboard");
  expect(left.text).toMatch(/1 step left ?Add your email address/);
  const email = "root@example.com";
  const form = await left.follow("Add an address");
  await form.submit("Email me a link", { email, currentPassword: portal.administrator.password });
  expect((await visitor.open("/dashboard")).text).toContain("Add your email address");
  await (await visitor.open(await mailedLink(portal, email, /confirm/i))).submit("Confirm");
  expect((await visitor.open("/dashboard")).text).not.toContain("Get started");
});

test("failures come first with their reasons, and are run again from there", async () => {
  const page = await visitor.open("/dashboard");
  expect(page.text).toMatch(/1 of 1 API failing/);
  expect(page.text).toMatch(/Failing now 1 ?.*Failed: Wants the impossible ?Bookshop.*418.*200.*Failing since.*ago/);
  expect(page.rows("Bookshop")[0]).toMatch(/Failing ?1 failed ?1 passed.*0 of 1 run passed, last failed.*ago/);
  expect((await page.follow(`Failed: ${broken}`)).address).toMatch(/\/executions\/[^/]+\/verifications$/);
  const run = await page.submit(`Run again: ${broken}`);
  expect(run.address).toMatch(new RegExp(`^/test-management/${made.apiId}/runs/`));
  expect(run.text).toContain(broken);
});

test("a count links to the counted rows", async () => {
  const page = await visitor.open("/dashboard");
  const failing = await page.follow("Failing now 1");
  expect([failing.address, failing.heading]).toEqual(["/test-management/failing-tests", "Failing tests"]);
  expect(failing.text).toContain(broken);
  expect((await page.follow("1 failed")).address).toBe(`/test-management/${made.apiId}/tests?verdict=failed`);
  expect((await page.follow("1 failed")).rows(broken)).toHaveLength(1);
  expect((await page.follow("1 passed")).rows("Lists books")).toHaveLength(1);
  expect((await page.follow("APIs 1")).address).toBe("/api-management/list");
  expect((await page.follow("1 of 1 API failing")).address).toBe("/dashboard?state=failing");
  expect((await page.follow("passed, last failed")).address).toBe(`/test-management/${made.apiId}/runs`);
  const list = await visitor.open("/api-management/list");
  expect(list.link("1 failed")).toContain("verdict=failed");
  const said = (shown: FormPage) => withoutAges(/Failing.*?ms/.exec(shown.rows("Bookshop")[0]!)?.[0] ?? "");
  expect(said(list)).toBe(said(page));
  expect(said(list)).toMatch(/Failing.*passed.*100 %.*ms/);
});

test("the list of APIs is filtered by state and tag, failing ones first, and no address has an empty parameter", async () => {
  const { apiRegistry } = portal.backend;
  const tag = async (apiId: string, name: string, tags: string[]) =>
    requireValue(await apiRegistry.changeApi({ params: { apiId }, body: { name, baseUrl: null, tags } }), "change");
  const other = await makeTests(portal.backend, targetApi);
  await tag(other.apiId, "A calm one", ["calm"]);
  const page = await visitor.open("/dashboard");
  const names = (shown: FormPage) =>
    shown
      .rows("")
      .flatMap((row) => (row.startsWith("A calm") ? ["calm"] : row.startsWith("Bookshop") ? ["failing"] : []));
  expect(names(page)).toEqual(["failing", "calm"]);
  const failing = await page.follow("Failing");
  expect([failing.address, names(failing)]).toEqual(["/dashboard?state=failing", ["failing"]]);
  const well = await failing.follow("Not failing");
  expect([well.address, names(well)]).toEqual(["/dashboard?state=well", ["calm"]]);
  expect((await well.follow("All")).address).toBe("/dashboard");
  const tagged = await page.follow("calm");
  expect([tagged.address, names(tagged)]).toEqual(["/dashboard?tag=calm", ["calm"]]);
  const none = await tagged.follow("Failing");
  expect(none.text).toContain("No matching APIs");
  expect((await none.follow("Show all APIs")).address).toBe("/dashboard");
  requireValue(await apiRegistry.deleteApi({ params: { apiId: other.apiId } }), "delete");
});

test("failing tests are filtered by API; a passing API has none", async () => {
  const other = await makeTests(portal.backend, targetApi);
  const none = await visitor.open(`/test-management/failing-tests?apiId=${other.apiId}`);
  expect(none.text).toContain("This API has no failing tests");
  const all = await none.follow("Show all APIs");
  expect([all.address, all.text.includes(broken)]).toEqual(["/test-management/failing-tests", true]);
  const own = await visitor.open(`/test-management/failing-tests?apiId=${made.apiId}`);
  expect(own.text).toContain(broken);
  expect((await visitor.open("/test-management/failing-tests?cursor=nonsense")).status).toBe(404);
});

test("a viewer sees the failures, and is offered no action", async () => {
  const viewer = await joinAs(portal, "VIEWER");
  for (const address of ["/dashboard", "/test-management/failing-tests"]) {
    const { text, html } = await viewer.open(address);
    expect([address, text.includes(broken)]).toEqual([address, true]);
    expect(html).not.toMatch(/Run again|Get started/);
  }
});

test("a single run is plotted too, with how much of the time it covers", async () => {
  const other = await makeTests(portal.backend, targetApi);
  const body = { source: { tests: [other.testIds["Lists books"]!] } };
  requireValue(await toTheEnd(portal.backend.testExecutioner).startRun({ body }), "running one");
  const page = await visitor.open(`/test-management/${other.apiId}/manage`);
  expect(page.text).toMatch(/Pass rate ?100 %/);
  expect(page.text).toContain("Tests ran in 1 of 24 hours.");
});
