import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { makeTests } from "../support/made-tests.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
let apiId: string;
let testId: string;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  const made = await makeTests(portal.backend, targetApi);
  apiId = made.apiId;
  testId = made.testIds["Lists books"]!;
  const body = { source: { tests: [testId, made.testIds["Wants the impossible"]!] } };
  requireValue(await toTheEnd(portal.backend.testExecutioner).startRun({ body }), "starting");
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

test("dashboard, API and test show recent trends, over any offered range", async () => {
  const pages = [
    "/dashboard",
    `/test-management/${apiId}/manage`,
    `/test-management/${apiId}/tests/${testId}/executions/list`,
  ];
  const rates = [/Pass rate ?50.0 %/, /Pass rate ?50.0 %/, /Pass rate ?100 %/];
  for (const [index, address] of pages.entries()) {
    const page = await visitor.open(address);
    expect(page.text, address).toMatch(rates[index]!);
    expect(page.text, address).toMatch(/Availability ?100 %/);
    const further = await page.follow("90 days");
    expect(further.address).toBe(`${address}?range=90d`);
    expect(further.text).toMatch(rates[index]!);
  }
});

test("the numbers of a plot lead to what ran at that time, and its list to any time", async () => {
  const overview = await visitor.open(`/test-management/${apiId}/manage?range=24h`);
  const [, link] = /<th scope="row"[^>]*><a href="([^"]*\/runs\?from=[^"]*)">[^<]*until now<\/a>/.exec(overview.html)!;
  const runs = await visitor.open(link!.replaceAll("&amp;", "&"));
  expect(runs.text).toMatch(/Runs since \d+ \w+ \d{4}, \d\d:00 UTC\./);
  expect(runs.rows("2 tests")).toHaveLength(1);
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  const before = new Date(hour.getTime() - 3_600_000).toISOString();
  const none = await visitor.open(`/test-management/${apiId}/runs?from=2020-01-01T00:00:00Z&to=${before}`);
  expect(none.text).toContain("No matching runs");
  expect((await none.follow("Show any time")).rows("2 tests")).toHaveLength(1);
  const filtered = await runs.submit("Filter", { verdict: "failed" });
  expect(filtered.address, "the time is kept").toContain("from=");
  const ofTest = `/test-management/${apiId}/tests/${testId}/executions/list`;
  expect((await visitor.open(`${ofTest}?to=${before}`)).text).toContain("No matching executions");
  expect((await visitor.open(`${ofTest}?from=nonsense`)).text).not.toContain("No matching executions");
});

test("the dashboard's plots lead to the runs of all APIs at that time, which are named", async () => {
  const dashboard = await visitor.open("/dashboard?range=24h");
  const [, link] = /<th scope="row"[^>]*><a href="(\/test-management\/runs\?from=[^"]*)">[^<]*until now<\/a>/.exec(
    dashboard.html,
  )!;
  const runs = await visitor.open(link!.replaceAll("&amp;", "&"));
  expect([runs.heading, runs.rows("2 tests")]).toEqual(["Runs of all APIs", [expect.stringContaining("Bookshop")]]);
  expect((await runs.follow("2 tests")).address).toContain(`/test-management/${apiId}/runs/`);
  expect((await visitor.open("/test-management/runs?to=2020-01-01T00:00:00Z")).text).toContain("No matching runs");
});

test("the numbers are a file, of the same subject and range", async () => {
  const page = await visitor.open(`/test-management/${apiId}/tests/${testId}/executions/list?range=24h`);
  const file = await page.follow("Download as CSV");
  expect(Object.fromEntries(file.headers)).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": expect.stringMatching(/^attachment; filename="trends-24h-\d{4}-\d\d-\d\d\.csv"$/),
  });
  const lines = file.html.trim().split("\r\n");
  expect(lines).toHaveLength(25);
  expect(lines.at(-1)).toMatch(/:00:00\+00:00,1,1,0,0,0,1,1,0,/);
});

test("a deployment is marked by a form, appears in the trends and is deleted", async () => {
  const overview = await visitor.open(`/test-management/${apiId}/manage?range=24h`);
  const form = await overview.follow("Mark a deployment");
  const refused = await form.submit("Mark deployment", { name: "Bookshop 2.4.0", url: "ftp://example.com" });
  expect([refused.status, refused.value("name")]).toEqual([422, "Bookshop 2.4.0"]);
  expect(refused.errors("url")).toContain("Enter a full URL");
  const future = await refused.submit("Mark deployment", { at: "2999-01-01T00:00", url: "" });
  expect(future.errors("at")).toContain("This is in the future");
  const marked = await future.submit("Mark deployment", { at: "" });
  expect(marked.rows("Deployment: Bookshop 2.4.0")).toEqual([expect.stringContaining("Administrator")]);
  const displayed = await visitor.open(`/test-management/${apiId}/manage?range=24h`);
  expect(displayed.text).toMatch(/What changed \(\d+\).*Deployment: Bookshop 2\.4\.0 \(Bookshop\)/);
  const requested = await marked.follow("Delete Deployment: Bookshop 2.4.0");
  expect((await requested.submit("Delete mark")).rows("Bookshop 2.4.0")).toEqual([]);
});

test("a new document version and an edited test create marks automatically", async () => {
  const { apiRegistry, testRegistry } = portal.backend;
  const {
    id,
    apiId: _,
    version,
    createdAt,
    updatedAt,
    ...input
  } = requireValue(await testRegistry.getTest({ params: { testId } }), "test");
  requireValue(
    await testRegistry.changeTest({ params: { testId: id }, body: { ...input, name: "Lists all books" } }),
    "edit",
  );
  const source = { url: targetApi.documentUrl };
  requireValue(await apiRegistry.importDocument({ params: { apiId }, body: { source } }), "import");
  await expect
    .poll(async () => (await visitor.open(`/test-management/${apiId}/marks`)).text)
    .toMatch(/New document version: 1\.4\.0 \(Bookshop\).*Edited test: Lists all books/);
});

test("the zone is chosen by a form and stored, is the default of schedules, and an unknown one is refused", async () => {
  const choice = await (await visitor.open("/dashboard?range=30d")).follow("Choose another zone");
  const refused = await choice.submit("Use this zone", { timeZone: "Mars/Olympus" });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("No such time zone")]);
  const page = await choice.submit("Use this zone", { timeZone: "Asia/Kolkata" });
  expect(page.address).toBe("/dashboard?range=30d");
  expect(page.text).toContain("Times in IST (Asia/Kolkata)");
  expect((await visitor.open(`/test-management/${apiId}/manage`)).text).toContain("Times in IST (Asia/Kolkata)");
  const body = { name: "In India", members: [{ kind: "selection" as const, apiId }] };
  const { id } = requireValue(await portal.backend.testRegistry.createCircle({ body }), "circle");
  const schedule = await visitor.open(`/test-management/${apiId}/test-circles/${id}/schedules/create`);
  expect(schedule.value("timeZone")).toBe("Asia/Kolkata");
});
