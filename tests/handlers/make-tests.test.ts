import { afterAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import type { FormPage } from "../support/form-page.ts";
import { getBoxes, getTicked, keysOf, openCircleGeneration } from "../support/generated-circles.ts";

const { portal, targetApi, library, visitor, register, registerLibrary, make, listCircles, getNames, ended, stop } =
  await openCircleGeneration();
afterAll(stop);

const responses = { 200: { description: "ok" } };

async function registerPaths(title: string, paths: object): Promise<string> {
  const servers = [{ url: targetApi.origin }];
  return await register({
    document: JSON.stringify({ openapi: "3.0.3", info: { title, version: "1" }, servers, paths }),
  });
}

/** An API of many operations that read, each in a circle of its own. */
const registerLarge = (operations: number) =>
  registerPaths(
    "Large",
    Object.fromEntries(Array.from({ length: operations }, (_, n) => [`/r${n}`, { get: { responses } }])),
  );

async function getTests(apiId: string): Promise<string[]> {
  const query = { sort: "path" as const, limit: 200 };
  const result = await portal.backend.testRegistry.listTests({ params: { apiId }, query });
  return requireValue(result, "list").items.map(({ method, path, name }) => `${method} ${path} ${name}`);
}

test("registering an API leads to the plan of its tests", async () => {
  const form = await visitor.open("/api-management/register");
  const page = await form.submit("Register", { way: "url", url: targetApi.documentUrl, name: "Fresh" });
  expect(page.heading).toBe("Generate tests");
  expect(page.text).toContain("Fresh is registered with 5 operations.");
  expect(getBoxes(page)).toEqual({ "Life of a book": true, "Calls of books": true });
  // A shop whose document names no server gets the address that it was loaded from, so it can be run.
  expect(page.text).toContain("Create and run");
});

test("each circle says what it sends in order, makes, removes, leaves and changes; only what changes nothing else is ticked", async () => {
  const page = await make(await registerLibrary());
  expect(getBoxes(page)).toEqual({
    "Life of a book": true,
    "Life of an order": true,
    "Reads of reports": true,
    "Hours, changed and put back": false,
    "Calls of hours": true,
  });
  expect(page.text).toContain(
    "Life of a bookPOST → GET → list → PATCH → GET, then DELETE → gone. Creates a book and removes it again.",
  );
  expect(page.text).toMatch(/MainPOST \/books Create a book.*Tear-downDELETE \/books\/\{bookId\} Delete the book/);
  expect(page.text).toContain("Leaves an order: no operation removes it");
  expect(page.text).toContain("Changes existing data: PUT /hours, and puts it back.");
});

test("where the document names no server, a base URL is requested, which can be skipped", async () => {
  const paths = { "/books": { get: { responses } } };
  const info = { title: "Nowhere", version: "1" };
  const document = JSON.stringify({ openapi: "3.0.3", info, servers: [{ url: "/v1" }], paths });
  const page = await (await visitor.open("/api-management/register")).submit("Register", { way: "text", document });
  expect(page.heading).toBe("Generate tests");
  expect(page.text).toContain("Until it has a base URL, tests can be created, but not run.");
  expect(page.text).not.toContain("Create and run");
  const refused = await page.submit("Save the base URL", { baseUrl: "nowhere" });
  expect([refused.status, refused.value("baseUrl")]).toEqual([422, "nowhere"]);
  expect(refused.errors("baseUrl")).not.toBe("");
  const saved = await refused.submit("Save the base URL", { baseUrl: targetApi.origin });
  expect(saved.text).toContain("The base URL is saved.");
  expect((await saved.submit("Create and run")).heading).toContain("Calls of books");
});

test("no base URL is requested where each operation has a server with a whole URL, and its tests run there", async () => {
  const servers = [{ url: `${targetApi.origin}/` }];
  const paths = { "/books": { servers, get: { responses } }, "/genres": { get: { servers, responses } } };
  const register = async (more: object) => {
    const info = { title: "Somewhere", version: "1" };
    const document = JSON.stringify({ openapi: "3.0.3", info, paths: { ...paths, ...more } });
    return await (await visitor.open("/api-management/register")).submit("Register", { way: "text", document });
  };
  const page = await register({});
  expect(page.text).not.toContain("Base URL");
  expect((await page.submit("Create and run")).heading).toBe("Runs");
  const partly = await register({ "/authors": { get: { responses } } });
  expect(partly.text).toContain("Base URL");
  expect(partly.text).toContain("Not every operation has a server with an absolute URL.");
});

test("the ticked circles run at once and pass, what they made is removed, and a second look shows them as made", async () => {
  const apiId = await registerLibrary();
  const runs = await (await make(apiId)).submit("Create and run", { "value:day": "2026-11-28" });
  expect(runs.heading).toBe("Runs");
  expect(runs.text).toContain("7 circles are running.");
  expect(await ended(apiId, 7)).toEqual(Array.from({ length: 7 }, () => "passed"));
  expect(library.books.size).toBe(0);
  expect((await listCircles(apiId)).every(({ onlyOwn }) => onlyOwn)).toBe(true);
  const again = await make(apiId);
  expect(getBoxes(again)).toEqual({ "Hours, changed and put back": false });
  expect((await again.follow("Life of a book")).text).toContain("7 memberssequential, change only what a run made");
});

test("a form that is sent twice creates and starts once", async () => {
  const apiId = await registerLibrary();
  const page = await make(apiId);
  const circle = keysOf(page, "Life of a book");
  const [first, second] = await Promise.all(
    [0, 1].map(() => page.submit("Create and run", { circle, invalid: false })),
  );
  expect(first!.heading).toContain("Life of a book");
  expect(second!.address).toBe(first!.address);
  const late = await page.submit("Create and run", { circle, invalid: false });
  expect(late.address).toBe(first!.address);
  expect(await getNames(apiId)).toEqual(["Life of a book"]);
  expect(await getTests(apiId)).toHaveLength(7);
  const more = await page.submit("Create", {
    circle: [...circle, ...keysOf(page, "Calls of hours")],
    invalid: false,
  });
  expect(more.text).toContain("1 circle was created. 1 circle existed already.");
});

test("a test with the same method, path and name is reused", async () => {
  const apiId = await registerLibrary();
  const page = await make(apiId);
  await page.submit("Create", { circle: keysOf(page, "Life of a book"), invalid: false });
  const [circle] = await listCircles(apiId);
  const { id: testCircleId, version } = circle!;
  const headers = { "if-match": `"${version}"` };
  requireValue(await portal.backend.testRegistry.deleteCircle({ params: { testCircleId }, headers }), "deleting");
  await (await make(apiId)).submit("Create", { circle: keysOf(page, "Life of a book"), invalid: false });
  expect([await getNames(apiId), (await getTests(apiId)).length]).toEqual([["Life of a book"], 7]);
});

test("what changes something that is there runs only after asking, and says what that is", async () => {
  const apiId = await registerLibrary();
  const page = await make(apiId);
  const circle = keysOf(page, "Life of a book", "Hours, changed and put back");
  const before = library.requests.length;
  const requesting = await page.submit("Create and run", { circle, invalid: false });
  expect(requesting.text).toContain("Run 1 circle that changes what is there?");
  expect(requesting.text).toContain(
    "Hours, changed and put back: Changes existing data: PUT /hours, and puts it back.",
  );
  expect([await getNames(apiId), library.requests.length]).toEqual([[], before]);
  expect(getTicked(requesting)).toEqual(["Life of a book", "Hours, changed and put back"]);
  const run = await requesting.submit("Create all 2, run 1 safe");
  expect(run.heading).toContain("Life of a book");
  expect(await getNames(apiId)).toEqual(["Hours, changed and put back", "Life of a book"]);
  await ended(apiId, 1);
  expect(library.requests.slice(before)).not.toContain("PUT /hours");

  const other = await registerLibrary();
  const both = await (await (await make(other)).submit("Create and run", { circle, invalid: false })).submit(
    "Create and run all 2",
  );
  expect(both.text).toContain("2 circles are running.");
  expect(await ended(other, 2)).toEqual(["passed", "passed"]);
  expect(library.requests.slice(before).filter((one) => one === "PUT /hours")).toHaveLength(2);
});

test("without script all safe circles are ticked or none by a button, and what was typed is kept", async () => {
  const apiId = await registerLibrary();
  const none = await (await make(apiId)).submit("Deselect all", { "value:day": "2026-11-28" });
  expect([getTicked(none), none.value("value:day")]).toEqual([[], "2026-11-28"]);
  const refused = await none.submit("Create");
  expect([refused.status, await getNames(apiId)]).toEqual([422, []]);
  expect(refused.text).toContain("Select at least one circle");
  expect(getTicked(await refused.submit("Select all safe"))).toHaveLength(4);
});

test("operations are found by words and by effect, and one by its address has its single test and its circle", async () => {
  const apiId = await registerLibrary();
  const found = await (await make(apiId)).submit("Filter", { query: "hours" });
  expect(Object.keys(getBoxes(found))).toEqual(["Hours, changed and put back", "Calls of hours"]);
  expect((await found.submit("Filter", { query: "nowhere" })).text).toContain("No matching operations");
  const one = await make(apiId, `?operation=${encodeURIComponent("patch /books/{bookId}")}`);
  expect(getBoxes(one)).toEqual({ "Life of a book": true });
  expect(one.text).toContain("One valid request");
  expect(one.link("Write it yourself")).toContain("/tests/create/");
  const asked = await one.submit("Create and run test", { "value:bookId": "1" });
  expect(asked.text).toContain("Changes this PATCH makes on the server are not undone.");
  expect((await asked.submit("Create and run it")).heading).toBe("Run of Change a book");
  expect(await getTests(apiId)).toEqual(["patch /books/{bookId} Change a book"]);
  expect((await make(apiId, "?operation=get+%2Fnowhere")).text).toContain("No matching operations");
});

test("a single test of an operation is created without its value, but not run", async () => {
  const apiId = await registerLibrary();
  const one = await make(apiId, `?operation=${encodeURIComponent("get /reports/{day}")}`);
  const left = await one.submit("Create and run test");
  expect(left.text).toContain("1 test created, but not run");
  expect(left.text).toContain("day has no value.");
  const again = await make(apiId, `?operation=${encodeURIComponent("get /reports/{day}")}`);
  expect(again.link("1 test")).toContain("/tests?");
});

async function untilDone(page: FormPage): Promise<FormPage> {
  return page.heading === "Generating tests" ? await untilDone(await page.submit("Continue")) : page;
}

test("circles are created for all matches, on all pages, and once", async () => {
  const apiId = await registerLarge(101);
  const page = await make(apiId);
  expect(getTicked(page)).toHaveLength(100);
  expect(page.text).toContain("All 101 that match");
  const matching = await (await make(apiId, "?query=r1")).submit("Create");
  expect(matching.text).toContain("12 circles were created.");
  const done = await untilDone(await page.submit("Create circles of all 101"));
  expect(done.text).toContain("89 circles created.");
  const again = await untilDone(await page.submit("Create circles of all 101"));
  expect(again.text).toContain("No circle was created.");
  expect(await getNames(apiId)).toHaveLength(101);
}, 60_000);

test("all matches run, each circle once", async () => {
  const apiId = await registerLarge(101);
  const runs = await untilDone(await (await make(apiId)).submit("Create and run circles of all 101"));
  expect([runs.heading, runs.text]).toEqual(["Runs", expect.stringContaining("101 circles created and running.")]);
}, 60_000);
