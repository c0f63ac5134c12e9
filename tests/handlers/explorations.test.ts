import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type FaultyApi, startFaultyApi } from "../support/faulty-api.ts";
import type { FormPage } from "../support/form-page.ts";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { registerApi } from "../support/portal-backend.ts";

let portal: HandledPortal;
let faulty: FaultyApi;
let visitor: Visitor;
beforeAll(async () => {
  [portal, faulty] = await Promise.all([openHandledPortal(), startFaultyApi()]);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await faulty.stop();
});

const fast = { requestsPerSecond: "100", maxRequests: "400" };
const again = "Start again with the same seed";

async function makeApi() {
  const apiId = await registerApi(portal.backend, faulty.documentUrl);
  const root = `/test-management/${apiId}`;
  const { testRegistry } = portal.backend;
  return {
    ...{ apiId, root, list: `${root}/explorations`, edit: `/api-management/${apiId}/details/edit` },
    listTests: async () =>
      requireValue(await testRegistry.listTests({ params: { apiId }, query: { limit: 200 } }), "tests").items,
    listCircles: async () =>
      requireValue(await testRegistry.listCircles({ query: { apiId, limit: 200 } }), "circles").items,
  };
}

/** Opens the page again until its exploration has ended. */
async function untilEnded({ address }: FormPage): Promise<FormPage> {
  for (;;) {
    const page = await visitor.open(address);
    if (page.buttons().includes(again)) return page;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test("an exploration with safe methods finds a server error, which is saved once as a test", async () => {
  const { root, list, listTests } = await makeApi();
  const empty = await (await visitor.open(`${root}/tests`)).follow("Explore");
  expect(empty.address).toBe(list);
  expect(empty.text).toContain("No explorations yet");
  const begun = await empty.submit("Start exploring", fast);
  expect(begun.heading).toBe("Exploration");
  const page = await untilEnded(begun);
  expect(page.text).toMatch(/Finished/);
  expect(page.text).toContain("It uses safe methods only.");
  expect(page.text).toMatch(/GET \/books, 500\)\.Server error/);
  expect(page.text).toContain("New");
  expect(page.rows("/books").length).toBeGreaterThan(0);
  expect(faulty.requests.filter((one) => !/^(GET|HEAD|OPTIONS|TRACE) /.test(one))).toEqual([]);
  const saved = await page.submit("Save as a test");
  expect(saved.text).toContain("Saved as a test:");
  const [test] = await listTests();
  expect(test).toMatchObject({ method: "get", path: "/books", tags: expect.arrayContaining(["exploration"]) });
  await page.submit("Save as a test");
  expect(await listTests()).toHaveLength(1);
  expect((await visitor.open(list)).rows("finding")).toHaveLength(1);

  const second = await untilEnded(await saved.submit(again));
  expect(second.address).not.toBe(page.address);
  expect(second.text).toContain("Known");
  expect(second.text).toContain("Saved as a test:");
});

test("only an API marked as disposable is changed, and what is found there is saved once as a circle", async () => {
  const { list, edit, listCircles, listTests } = await makeApi();
  const closed = await visitor.open(list);
  expect(closed.text).toContain("The data of this API is not marked as disposable");
  expect((await closed.follow("Mark it on the API's edit page")).address).toBe(edit);
  await (await visitor.open(edit)).submit("Save", { isDisposable: true });
  const open = await visitor.open(list);
  expect(open.text).not.toContain("not marked as disposable");
  const page = await untilEnded(await open.submit("Start exploring", { ...fast, changes: true, seed: "4711" }));
  expect(page.text).toContain("Seed 4711");
  expect(page.text).toContain("It changes only what it created itself.");
  expect(page.text).toMatch(/Accepted `?title: 5`? although/);
  // What it made is gone, and what was there before stays.
  expect([...faulty.books.keys()]).toEqual([1]);
  const saved = await page.submit("Save as a circle");
  expect(saved.text).toContain("Saved as a circle:");
  const [circle] = await listCircles();
  expect(circle).toMatchObject({ onlyOwn: true, order: "sequential" });
  const run = toTheEnd(portal.backend.testExecutioner).startRun({ body: { source: { testCircleId: circle!.id } } });
  expect(requireValue(await run, "run")).toMatchObject({ verdict: "failed" });
  expect([...faulty.books.keys()]).toEqual([1]);
  const tests = (await listTests()).length;
  await page.submit("Save as a circle");
  expect(await listCircles()).toHaveLength(1);
  expect(await listTests()).toHaveLength(tests);
});

test("wrong figures are reported at their fields, and what was typed is kept", async () => {
  const { list } = await makeApi();
  const refused = await (await visitor.open(list)).submit("Start exploring", { maxRequests: "5", seed: "x" });
  expect(refused.status).toBe(422);
  expect(refused.errors("maxRequests")).toBe("Requests: a whole number from 10 to 20,000");
  expect(refused.errors("seed")).toBe("A seed is a whole number from 0 to 4,294,967,295");
  expect(refused.value("maxRequests")).toBe("5");
});

test("a running exploration is cancelled, and another one is refused meanwhile", async () => {
  const { list } = await makeApi();
  const running = await (await visitor.open(list)).submit("Start exploring", { requestsPerSecond: "1" });
  expect(running.buttons()).toContain("Cancel");
  const refused = await (await visitor.open(list)).submit("Start exploring");
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("Another exploration of this API has not ended.");
  await running.submit("Cancel");
  expect((await untilEnded(running)).text).toContain("It was cancelled.");
});

test("a viewer sees what was found, and can neither start nor save", async () => {
  const { list } = await makeApi();
  const page = await untilEnded(await (await visitor.open(list)).submit("Start exploring", fast));
  const viewer = await joinAs(portal, "VIEWER");
  expect((await viewer.open(list)).buttons()).not.toContain("Start exploring");
  const seen = await viewer.open(page.address);
  expect(seen.text).toMatch(/Server error/);
  expect(seen.buttons().filter((name) => /Save|again/.test(name))).toEqual([]);
  expect((await viewer.post(page.address, { intent: "again" })).status).toBe(403);
  expect((await viewer.post(list, {})).status).toBe(403);
});

test("the page of an exploration belongs to its API", async () => {
  const { list } = await makeApi();
  const page = await (await visitor.open(list)).submit("Start exploring", fast);
  const { root } = await makeApi();
  const elsewhere = `${root}/explorations/${page.address.split("/").at(-1)}`;
  expect((await visitor.open(elsewhere)).status).toBe(404);
});
