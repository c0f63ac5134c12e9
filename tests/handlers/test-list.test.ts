import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changeOne, toInput } from "../../app/routes/test-management/tests/list-changes.server.ts";
import type { Viewer } from "../../app/session/guards.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import type { FormPage } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
let tests: string;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  visitor = await portal.signIn();
  const form = await visitor.open("/api-management/register");
  const details = await form.submit("Register", { way: "url", url: targetApi.documentUrl, name: "Bookshop" });
  const apiId = details.url.pathname.split("/")[2];
  tests = `/test-management/${apiId}/tests`;
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

/** A test as suggested for an operation, under its own name. */
async function createTest(name: string, operation = "%2Fbooks%2F%7BbookId%7D%2Fprice/get"): Promise<FormPage> {
  const form = await visitor.open(`${tests}/create/${operation}`);
  await form.submit("Save", { name });
  return await visitor.open(`${tests}?query=${name}`);
}

test("a test runs from its list and leads to its run, which says why it failed", async () => {
  const list = await createTest("Price");
  const run = await getEnd(await list.submit("Run", {}, "Price"));
  expect(run.address).toMatch(/\/runs\/[^/]+$/);
  expect(run.heading).toContain("Run of Price");
  expect(run.text).toContain("$.amount: expected a number");
  const verifications = await run.follow("Price");
  expect(verifications.heading).toContain("Price");
  expect(verifications.text).toContain("$.amount: expected a number");
  expect((await verifications.follow("Its run")).address).toBe(run.address);
  expect((await visitor.open(list.address)).rows("Price")[0]).toContain("$.amount: expected a number");
});

test("a form that is sent twice starts one run, the next page's form another", async () => {
  const list = await createTest("Twice");
  const first = await list.submit("Run", {}, "Twice");
  expect((await list.submit("Run", {}, "Twice")).address).toBe(first.address);
  await getEnd(first);
  const next = await (await visitor.open(list.address)).submit("Run", {}, "Twice");
  expect(next.address).not.toBe(first.address);
});

test("a form of a new test that is sent twice creates one test and starts one run", async () => {
  const create = await visitor.open(`${tests}/create/%2Fbooks%2F%7BbookId%7D%2Fprice/get`);
  const [first, second] = await Promise.all([0, 1].map(() => create.submit("Save and run", { name: "Pressed" })));
  expect(first!.address).toMatch(/\/runs\/[^/]+$/);
  expect(second!.address).toBe(first!.address);
  const list = await visitor.open(`${tests}?query=Pressed`);
  expect(testsIn(list)).toBe(1);
  await Promise.all([0, 1].map(() => list.submit("Duplicate", {}, "Pressed")));
  const copies = await visitor.open(`${tests}?query=Pressed+(copy)`);
  expect(testsIn(copies)).toBe(1);
});

/** The number of tests that a list links to. */
const testsIn = ({ html }: FormPage) => new Set(html.match(/\/tests\/[0-9a-f-]{36}/g)).size;

/** A run's page once the run has ended. */
async function getEnd(run: FormPage): Promise<FormPage> {
  for (;;) {
    const page = await visitor.open(run.address);
    if (!/Queued|Running/.test(page.text)) return page;
    await pause(50);
  }
}

test("a disabled test is not started with the others", async () => {
  const list = await createTest("Alone");
  const disabled = await list.submit("Disable", {}, "Alone");
  expect(disabled.text).toContain("Alone is disabled.");
  const found = await (await visitor.open(tests)).submit("Filter", { enabled: "false" });
  expect(testsIn(found)).toBe(1);
  expect(found.rows("Alone")).toHaveLength(1);
  expect((await found.submit("Filter", { query: "nobody calls a test so" })).text).toContain("No matching tests");
  expect((await disabled.submit("Enable", {}, "Alone")).text).toContain("Alone is enabled.");
});

test("a copy is listed after its original under a distinct name", async () => {
  const list = await createTest("Twin");
  expect((await list.submit("Duplicate", {}, "Twin")).text).toContain("Twin (copy) was made.");
  expect((await visitor.open(`${tests}?query=Twin`)).text).toContain("Twin (copy)");
});

test("a copy whose name would be too long ends before a word, and says so", async () => {
  const name = `Twin of ${"many words ".repeat(26)}end`;
  const list = await createTest(name);
  const copied = (await list.submit("Duplicate", {}, "Twin of many")).text;
  expect(copied).toMatch(/(many|words)… \(copy\) was made\. Its name was shortened to 300 characters\./);
});

test("a test is deleted after asking, and an outdated list says why it does not run", async () => {
  const list = await createTest("Doomed");
  const requesting = await list.follow("Delete");
  expect(requesting.text).toContain("Doomed");
  const deleted = await requesting.submit("Delete test");
  expect(deleted.text).toContain("Doomed was deleted.");
  expect((await list.submit("Run", {}, "Doomed")).text).toContain("No such test");
});

test("tests are found by their last result and by whether they may change data", async () => {
  const list = await createTest("Ends");
  await getEnd(await list.submit("Run", {}, "Ends"));
  const failed = await (await visitor.open(tests)).submit("Filter", { verdict: "failed" });
  expect(failed.rows("Ends")[0]).toMatch(/^Failed/);
  expect((await visitor.open(`${tests}?verdict=errored`)).text).toContain("No matching tests");
  expect((await visitor.open(`${tests}?safe=true&query=Ends`)).rows("Ends")).toHaveLength(1);
  expect((await visitor.open(`${tests}?safe=false&query=Ends`)).text).toContain("No matching tests");
});

test("ticked tests are run, disabled and, after asking, deleted together", async () => {
  await createTest("Ticked one");
  await createTest("Ticked two");
  const list = await visitor.open(`${tests}?query=Ticked`);
  const ids = [...new Set(list.html.match(/(?<=\/tests\/)[0-9a-f-]{36}/g))];
  const ticked = { selected: ids };
  expect((await list.submit("Disable selected")).text).toContain("Select tests first.");
  expect((await getEnd(await list.submit("Run selected", ticked))).heading).toBe("Run of 2 tests");
  expect((await list.submit("Disable selected", ticked)).text).toContain("2 tests disabled.");
  const requested = await list.submit("Delete selected", ticked);
  expect(requested.text).toContain("Delete 2 tests?");
  const stored = await requested.follow("Cancel");
  expect(stored.rows("Ticked")).toHaveLength(2);
  expect(stored.html.match(/<input type="checkbox"[^>]* checked=""/g)).toHaveLength(2);
  expect((await requested.submit("Delete 2 tests")).text).toContain("2 tests deleted.");
  expect((await visitor.open(list.address)).text).toContain("No matching tests");
});

test("ticked tests get tags, lose them, and are added to a circle", async () => {
  await createTest("Grouped one");
  await createTest("Grouped two");
  const list = await visitor.open(`${tests}?query=Grouped`);
  const ids = [...new Set(list.html.match(/(?<=\/tests\/)[0-9a-f-]{36}/g))];
  const ticked = { selected: ids };
  const requested = await list.submit("Tag selected", ticked);
  expect(requested.text).toContain("Tag 2 tests");
  const refused = await requested.submit("Add tags", { tags: "x".repeat(61) });
  expect(refused.errors("tags")).toContain("at most 60 characters");
  const tagged = await refused.submit("Add tags", { tags: "smoke, nightly" });
  expect(tagged.text).toContain("smoke and nightly added to 2 tests.");
  expect((await visitor.open(`${tests}?tag=smoke`)).rows("Grouped")).toHaveLength(2);
  const untagged = await (await list.submit("Tag selected", ticked)).submit("Remove tags", { tags: "smoke" });
  expect(untagged.text).toContain("smoke removed from 2 tests.");
  expect((await visitor.open(`${tests}?tag=smoke`)).text).toContain("No matching tests");

  expect((await list.submit("Add selected to a circle", ticked)).text).toContain("No circles yet");
  const body = { name: "Evening", members: [{ kind: "test" as const, testId: ids[0]! }] };
  const { id } = requireValue(await portal.backend.testRegistry.createCircle({ body }), "circle");
  const choice = await list.submit("Add selected to a circle", ticked);
  expect((await choice.submit("Add 2 tests")).errors("circle")).toContain("Choose a circle");
  expect((await choice.submit("Add 2 tests", { circle: id })).text).toContain("1 test added to Evening.");
  expect((await choice.submit("Add 2 tests", { circle: id })).text).toContain("Evening has them already.");
});

test("one of several that was changed or deleted meanwhile is reported, and does not block the others", async () => {
  const list = await createTest("Contested");
  const testId = /(?<=\/tests\/)[0-9a-f-]{36}/.exec(list.html)![0];
  const { testRegistry } = portal.backend;
  const params = { testId };
  const stale = requireValue(await testRegistry.getTest({ params }), "test");
  requireValue(await testRegistry.changeTest({ params, body: toInput(stale) }), "change");
  const change = () => changeOne({ backend: portal.backend } as unknown as Viewer, stale, { enabled: false });
  expect(await change()).toBe("Someone else changed this test in the meantime. View again.");
  requireValue(await testRegistry.deleteTest({ params }), "delete");
  expect(await change()).toBe("No such test.");
});

test("tests that may change data are run together after asking, listed by method", async () => {
  await createTest("Orders", "%2Fbooks/post");
  const list = await visitor.open(`${tests}?query=Orders`);
  const id = /(?<=\/tests\/)[0-9a-f-]{36}/.exec(list.html)![0];
  const requested = await list.submit("Run selected", { selected: [id] });
  expect(requested.text).toContain("These include 1 POST.");
  expect((await getEnd(await requested.submit("Run 1 test"))).heading).toContain("Run of");
});

/** Names of the tests in the order of the list. */
const namesIn = ({ html }: FormPage) => [...html.matchAll(/aria-label="Select ([^"]+)"/g)].map(([, name]) => name!);

test("tests are sorted by verdict, last run and name, by links in the heads of columns", async () => {
  for (const [name, operation] of [
    ["Sorted good", "%2Fbooks%2F%7BbookId%7D/get"],
    ["Sorted bad", "%2Fbooks%2F%7BbookId%7D%2Fprice/get"],
  ] as const) {
    const list = await createTest(name, operation);
    await getEnd(await list.submit("Run", {}, name));
  }
  await createTest("Sorted never run");
  const list = await visitor.open(`${tests}?query=Sorted`);
  expect(namesIn(list)).toEqual(["Sorted bad", "Sorted good", "Sorted never run"]);
  expect(namesIn(await list.follow("Test"))).toEqual(["Sorted never run", "Sorted good", "Sorted bad"]);
  const byRun = await list.follow("Last run");
  expect(namesIn(byRun)).toEqual(["Sorted bad", "Sorted good"]);
  expect(byRun.html).toMatch(/aria-sort="descending"[^>]*>(?:(?!<\/th>).)*Last run/);
  expect(byRun.text).toContain("Tests that have not run or are running now are not in this order.");
  expect(namesIn(await byRun.follow("Last run"))).toEqual(["Sorted good", "Sorted bad"]);
  const byVerdict = await list.follow("Verdict");
  expect(namesIn(byVerdict)[0]).toBe("Sorted bad");
  expect(namesIn(await byVerdict.follow("Verdict")).at(-1)).toBe("Sorted bad");
  expect((await byVerdict.submit("Filter", { query: "Sorted good" })).address).toMatch(
    /\?sort=verdict&query=Sorted\+good$/,
  );
});

test("filters that were left empty are not in the address", async () => {
  const list = await visitor.open(tests);
  const found = await list.submit("Filter", { query: "Price", method: "", tag: "" });
  expect(found.address).toBe(`${tests}?query=Price`);
});

test("a variable that another test captures is not reported as missing, one that nothing gives is, once", async () => {
  const { testRegistry } = portal.backend;
  const apiId = tests.split("/")[2]!;
  const shared = { method: "get", path: "/books", checks: ["not_a_server_error" as const] };
  const asking = { query: [{ name: "q", value: "{{token}} {{shelf}}", enabled: true }] };
  const create = async (body: object) =>
    requireValue(await testRegistry.createTest({ params: { apiId }, body: { ...shared, ...body } as never }), "test")
      .id;
  const ids = [
    await create({ name: "Asks for a token", request: asking }),
    await create({
      ...{ name: "Gives a token", request: {} },
      captures: [{ name: "token", source: "jsonPath", property: "$.token" }],
    }),
  ];
  const list = await visitor.open(`${tests}?query=token`);
  expect(list.text).toContain("1 operation needs a value for shelf");
  expect(list.rows("Asks for a token")[0]).toContain("No value for shelf");
  expect(list.text).not.toContain("for token");
  const overview = await visitor.open(`/test-management/${apiId}/manage`);
  expect(overview.text.match(/a value for/g)).toHaveLength(1);
  for (const testId of ids) requireValue(await testRegistry.deleteTest({ params: { testId } }), "delete");
  expect((await visitor.open(`/test-management/${apiId}/manage`)).text).not.toContain("a value for");
});
