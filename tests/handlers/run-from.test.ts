import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { furnishLocation } from "../support/furnished-location.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { makeTests } from "../support/made-tests.ts";
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

async function makeCircle(name: string, places: object = {}) {
  const { apiId, testIds } = await makeTests(portal.backend, targetApi);
  const [testId = ""] = Object.values(testIds);
  const body = { name, members: [{ kind: "test" as const, testId }], ...places };
  const { id } = requireValue(await portal.backend.testRegistry.createCircle({ body }), "a circle");
  return { apiId, testId, circleId: id };
}
/** Where the newest run is sent from. */
async function getPlaces(apiId: string) {
  const { testExecutioner } = portal.backend;
  const { items } = requireValue(await testExecutioner.listRuns({ query: { apiId, limit: 1 } }), "runs");
  const params = { runId: items[0]!.id };
  const { members } = requireValue(await testExecutioner.getRun({ params, query: {} }), "the run");
  return [...new Set(members.items.map(({ locationId }) => locationId ?? "portal"))];
}

test("the header's menu and its confirmation send a run from a chosen place", async () => {
  const { apiId } = await makeCircle("Header");
  const plain = await visitor.open(`/test-management/${apiId}/manage`);
  expect(plain.html).not.toContain("header-run-from");
  const { locationId } = await furnishLocation(portal.backend, "Header");
  const page = await visitor.open(`/test-management/${apiId}/manage`);
  const [button] = page.buttons().filter((name) => /^Run \d+ (safe )?tests?$/.test(name));
  await page.submit(button!, { runFrom: locationId });
  expect(await getPlaces(apiId)).toEqual([locationId]);
  const assertions = [{ source: "statusCode" as const, comparison: "equals" as const, target: 201 }];
  const unsafe = { name: "Creates a book", method: "post", path: "/books", request: {}, assertions };
  requireValue(await portal.backend.testRegistry.createTest({ params: { apiId }, body: unsafe }), "a test");
  const asked = await visitor.open(`/test-management/${apiId}/manage?dialog=run-all`);
  const [confirm] = asked.buttons().filter((name) => name.startsWith("Run all"));
  await asked.submit(confirm!, { runFrom: "portal" });
  expect(await getPlaces(apiId)).toEqual(["portal"]);
});

test("the list of circles runs one circle or the ticked ones from a chosen place", async () => {
  const { locationId } = await furnishLocation(portal.backend, "List");
  const { apiId, circleId } = await makeCircle("Listed");
  const list = `/test-management/${apiId}/test-circles/list`;
  await (await visitor.open(list)).submit("Run from List office");
  expect(await getPlaces(apiId)).toEqual([locationId]);
  await (await visitor.open(list)).submit("Run selected", { selected: [circleId], runFrom: "portal" });
  await expect.poll(() => getPlaces(apiId)).toEqual(["portal"]);
});

test("a circle and its run say that a location of theirs was deleted", async () => {
  const { locationId } = await furnishLocation(portal.backend, "Gone");
  const sent = (rule: "any" | "all") => ({ places: { portal: true, locationIds: [locationId], rule } });
  const any = await makeCircle("Any place", sent("any"));
  const all = await makeCircle("All places", sent("all"));
  const page = (circle: typeof any) => `/test-management/${circle.apiId}/test-circles/${circle.circleId}`;
  expect((await visitor.open(page(any))).text).not.toContain("deleted");
  requireValue(await portal.backend.testExecutioner.deleteLocation({ params: { locationId } }), "deletion");
  const left = await visitor.open(page(any));
  expect(left.text).toContain("1 location of this circle was deleted. Runs continue from the other place.");
  expect((await left.submit("Run")).text).toContain("Without 1 deleted location.");
  const refused = await visitor.open(page(all));
  expect(refused.text).toContain("Runs of this circle are refused");
  expect(refused.text).toContain("only 1 place is left, and its rule needs 2");
  expect((await refused.submit("Run")).text).toContain("Choose its places again.");
});

test("a run from several places has a table of what each saw", async () => {
  const { locationId } = await furnishLocation(portal.backend, "Table");
  const { apiId, circleId } = await makeCircle("Both", {
    places: { portal: true, locationIds: [locationId], rule: "any" },
  });
  const started = await portal.backend.testExecutioner.startRun({
    query: {},
    body: { source: { testCircleId: circleId } },
  });
  const { id: runId } = requireValue(started, "a run");
  const params = { runId };
  const getRun = async () =>
    requireValue(await portal.backend.testExecutioner.getRun({ params, query: {} }), "the run");
  await expect.poll(async () => (await getRun()).counts.passed, { timeout: 60_000 }).toBe(1);
  requireValue(await portal.backend.testExecutioner.cancelRun({ params }), "cancelling");
  await expect.poll(async () => (await getRun()).finishedAt, { timeout: 60_000 }).not.toBeNull();
  const page = await visitor.open(`/test-management/${apiId}/runs/${runId}`);
  expect(page.text).toContain("Results by place");
  expect(page.rows("This portal").join(" ")).toMatch(/Passed.*1.*0/);
  expect(page.rows("Table office").length).toBeGreaterThan(0);
});
