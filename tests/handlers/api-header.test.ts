import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { withoutAges } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { makeTests, runByPipeline } from "../support/made-tests.ts";
import { registerApi } from "../support/portal-backend.ts";
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

/** The markup before the content of a page. */
const above = ({ html }: { html: string }) =>
  html
    .slice(html.indexOf("</header>"), html.indexOf("<main"))
    .replace(/<div[^>]* data-island.*$/s, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");

test("an API has one header at both of its addresses, with its status and navigation", async () => {
  const made = await makeTests(portal.backend, targetApi);
  const { apiId } = made;
  const pages = [
    `/test-management/${apiId}/manage`,
    `/test-management/${apiId}/tests`,
    `/test-management/${apiId}/tests/${made.testIds["Lists books"]}/edit`,
    `/api-management/${apiId}/swagger`,
    `/api-management/${apiId}/details`,
  ];
  const headers = async () => new Set(await Promise.all(pages.map(async (page) => above(await visitor.open(page)))));
  const [untested, ...others] = await headers();
  expect(others).toEqual([]);
  expect(untested).toContain("APIs Bookshop 1.4.0 Not tested yet");
  expect(untested).toContain(targetApi.origin);
  expect(untested).toContain("Overview Tests 2 Runs Circles 0 Reference Settings");

  await runByPipeline(made);
  const [failing] = await headers();
  const summary = await portal.backend.testExecutioner.summarizeApis({ query: { apiIds: apiId } });
  expect(failing).toContain("1 failing since ");
  const since = summary.ok && summary.value.items[0]!.failingSince;
  expect((await visitor.open(pages[3]!)).html).toContain(`"${since}"`);
});

test("both addresses of an API without a further path lead to its first page, and only for who may see it", async () => {
  const { apiId } = await makeTests(portal.backend, targetApi);
  const first = `/test-management/${apiId}/manage`;
  for (const area of ["/api-management", "/test-management"]) {
    expect((await visitor.open(`${area}/${apiId}`)).address).toBe(first);
    expect((await visitor.open(`${area}/${apiId}/`)).address).toBe(first);
    expect((await portal.visit().open(`${area}/${apiId}`)).address).toContain("/login?redirectTo=");
    expect((await visitor.open(`${area}/01a22b06-829f-75eb-8e0c-83a6b17c018e`)).status).toBe(404);
    expect((await visitor.open(`${area}/no-id`)).status).toBe(404);
  }
});

test("pages deeper than a tab have a breadcrumb that leads back", async () => {
  const made = await makeTests(portal.backend, targetApi);
  const run = await visitor.open(`/test-management/${made.apiId}/runs/${await runByPipeline(made)}`);
  const execution = await run.follow("Wants the impossible");
  expect(above(execution)).toMatch(/APIs Bookshop 1\.4\.0 Wants the impossible 1 failing/);
  expect((await execution.follow("Wants the impossible")).address).toContain("/executions/list");
});

test("titles name the API, and begin with an error when a form was rejected", async () => {
  const apiId = await registerApi(portal.backend, targetApi.documentUrl);
  const titleIn = ({ html }: { html: string }) => /<title>(.*?)<\/title>/.exec(html)?.[1];
  const getTitle = async (page: string) => titleIn(await visitor.open(page));
  expect(await getTitle(`/test-management/${apiId}/manage`)).toBe("Bookshop · API Assurance");
  expect(await getTitle(`/test-management/${apiId}/tests`)).toBe("Tests of Bookshop · API Assurance");
  expect(await getTitle(`/test-management/${apiId}/test-circles/list`)).toBe("Circles, Bookshop · API Assurance");
  expect(await getTitle("/test-management/test-circles/list")).toBe("Circles · API Assurance");
  const edit = await visitor.open(`/api-management/${apiId}/details/edit`);
  expect(titleIn(edit)).toBe("Edit Bookshop · API Assurance");
  expect(titleIn(await edit.submit("Save", { baseUrl: "nowhere" }))).toBe("Error: Edit Bookshop · API Assurance");
});

test("runs and requests use the current environment, which the header shows and remembers", async () => {
  const { apiId, testIds } = await makeTests(portal.backend, targetApi);
  const tests = `/test-management/${apiId}/tests`;
  const nowhere = "http://127.0.0.1:9";
  const items = [{ name: "Nowhere", baseUrl: nowhere, variables: {} }];
  expect((await visitor.open(tests)).html).not.toContain("No environment");
  await portal.backend.apiRegistry.replaceEnvironments({ params: { apiId }, body: { items } });
  const list = await visitor.open(`${tests}?query=Lists`);
  expect(above(list)).toContain(targetApi.origin);
  const chosen = await list.submit("Use", { environment: "Nowhere" });
  expect(chosen.address).toBe(list.address);
  expect(above(await visitor.open(`/api-management/${apiId}/details`))).toContain(nowhere);

  const run = await chosen.submit("Run", {}, "Lists books");
  const runId = run.address.split("/").at(-1)!;
  const read = async () =>
    requireValue(await portal.backend.testExecutioner.getRun({ params: { runId }, query: {} }), "run");
  expect((await read()).apis).toMatchObject([{ environment: "Nowhere", baseUrl: nowhere }]);
  const sent = await (await visitor.open(`${tests}/${testIds["Lists books"]}/edit`)).submit("Send");
  expect(sent.text).not.toContain("200 OK");
  const operation = `/api-management/${apiId}/swagger/operation?method=get&path=%2Fbooks`;
  expect((await visitor.open(operation)).value("baseUrl")).toBe(nowhere);

  await portal.backend.apiRegistry.replaceEnvironments({ params: { apiId }, body: { items: [] } });
  expect((await chosen.submit("Use", { environment: "Nowhere" })).text).toContain(
    "The environment Nowhere no longer exists",
  );
  expect(above(await visitor.open(tests))).toContain(targetApi.origin);
});

test("every page of a viewer has one navigation, with the section of the page opened", async () => {
  const until = "Dashboard APIs Circles Incidents 2 open";
  expect(above(await visitor.open("/api-management/list"))).toContain(`${until} Schedules Alerts Administration`);
  const incidents = await visitor.open("/test-management/incidents");
  expect(above(incidents)).toContain(`${until} Failing tests Certificates Schedules Alerts Administration`);
  expect(incidents.html).toMatch(/<nav aria-label="Workspace".*aria-current="page">(<svg.*?<\/svg>)?Incidents <span/);
  expect(above(await visitor.open("/test-management/maintenance-windows"))).toContain(
    `${until} Schedules Maintenance windows Alerts Administration`,
  );
  expect(above(await visitor.open("/profile/password"))).toContain("Administration Profile Account Password");
  expect(above(await visitor.open("/test-management/nowhere/manage"))).toContain(until);
});

test("public pages have no workspace navigation", async () => {
  for (const page of ["/docs", "/about"])
    expect((await visitor.open(page)).html).not.toContain('aria-label="Workspace"');
});

test("the API switcher lists the APIs, with tests, status and last run", async () => {
  const rows = await Promise.all(
    ["/api-management/list", "/test-management/select-api"].map(async (page) =>
      (await visitor.open(page)).rows("").map(withoutAges),
    ),
  );
  expect(rows[0]).toEqual(rows[1]);
  expect(rows[0]![0]).toMatch(/API.*State.*Last runs.*Available, 7 days.*95 % within.*Last run.*Operations.*Tests/);
});
