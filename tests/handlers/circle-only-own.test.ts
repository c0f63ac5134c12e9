import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { type MadeTests, makeTests } from "../support/made-tests.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
let made: MadeTests;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  visitor = await portal.signIn();
  made = await makeTests(portal.backend, targetApi);
  for (const [name, method, path] of [
    ["Makes a book", "post", "/books"],
    ["Removes a book", "delete", "/books/{id}"],
  ] as const) {
    const pathParameters = path.includes("{") ? [{ name: "id", value: "1" }] : [];
    const body = { name, method, path, request: { pathParameters }, checks: ["not_a_server_error" as const] };
    const created = await portal.backend.testRegistry.createTest({ params: { apiId: made.apiId }, body });
    made.testIds[name] = requireValue(created, "test").id;
  }
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

async function openForm(...names: string[]) {
  const form = await visitor.open(`/test-management/${made.apiId}/test-circles/create`);
  return await form.submit("Add selected tests", { picked: names.map((name) => made.testIds[name]!) });
}

test("a circle's form chooses what each test may change, says what would be blocked, and keeps it", async () => {
  const form = await openForm("Lists books", "Makes a book", "Removes a book");
  const checked = await form.submit("Check", { onlyOwn: true, "effect-1": "makes" });
  expect(checked.text).toContain(
    "Not sent: DELETE /books/{id} would change a book that this run did not create. {id} is typed into the test.",
  );
  const moved = await checked.submit("Move Makes a book up");
  expect([moved.value("effect-0"), moved.value("effect-2")]).toEqual(["makes", ""]);
  const saved = await moved.submit("Create circle", { name: "Own books" });
  expect(saved.text).toContain("Own books is saved.");
  expect(saved.text).toContain("change only what a run made");
  const { items } = requireValue(await portal.backend.testRegistry.listCircles({ query: { query: "Own" } }), "list");
  const params = { testCircleId: items[0]!.id };
  const circle = requireValue(await portal.backend.testRegistry.getCircle({ params }), "circle");
  expect(circle).toMatchObject({ onlyOwn: true });
  expect(circle.members.map((member) => member.kind === "test" && member.effect)).toEqual([
    "makes",
    undefined,
    undefined,
  ]);
  const { testExecutioner } = portal.backend;
  const run = requireValue(await toTheEnd(testExecutioner).startRun({ body: { source: params } }), "run");
  const page = await visitor.open(`/test-management/${made.apiId}/runs/${run.id}`);
  expect(page.text).toContain("Changes only what it created itself.");
  expect(page.text).toContain("would change a book that this run did not create");
  const edit = await visitor.open(`/test-management/${made.apiId}/test-circles/${params.testCircleId}/edit`);
  const again = await edit.submit("Save", { name: "Own books again" });
  expect(again.text).toContain("Own books again is saved.");
  expect(requireValue(await portal.backend.testRegistry.getCircle({ params }), "circle").members).toEqual(
    circle.members,
  );
});

test("a test that can't make anything is refused at its field, and what was chosen stays", async () => {
  const form = await openForm("Lists books", "Removes a book");
  const refused = await form.submit("Create circle", { name: "Refused", onlyOwn: true, "effect-1": "makes" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("Only POST and PUT create something new; this test's method is DELETE");
  expect(refused.html).toMatch(/<select[^>]* id="circle-members\[1\]\.effect"[^>]* aria-invalid="true"/);
  const saved = await refused.submit("Create circle", { "effect-1": "allowed" });
  expect(saved.text).toContain("Refused is saved.");
});
