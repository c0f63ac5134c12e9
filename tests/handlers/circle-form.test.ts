import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import type { FormPage } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { type MadeTests, makeTests } from "../support/made-tests.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
let made: MadeTests;
let address: string;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  visitor = await portal.signIn();
  made = await makeTests(portal.backend, targetApi, 2);
  address = `/test-management/${made.apiId}/test-circles/create`;
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

/** The texts of the list of members, row by row. */
function getMembers({ html }: FormPage): string[] {
  return [...html.matchAll(/data-member="([^"]*)"/g)].map(([, name]) => name!);
}

/** The form of a new circle with these. */
async function addAll(...names: string[]): Promise<FormPage> {
  return await (await visitor.open(address)).submit("Add selected tests", {
    picked: names.map((name) => made.testIds[name]!),
  });
}

test("buttons of the members apply to the visible rows, whatever phases were chosen before", async () => {
  const form = await addAll("Lists books", "Waits 1", "Waits 2");
  expect(getMembers(form)).toEqual(["Lists books", "Waits 1", "Waits 2"]);
  const removed = await form.submit("Remove Waits 1", { phase: ["tearDown", "main", "main"] });
  expect(getMembers(removed)).toEqual(["Waits 2", "Lists books"]);
  const moved = await form.submit("Move Waits 2 up", { phase: ["tearDown", "main", "main"] });
  expect(getMembers(moved)).toEqual(["Waits 2", "Waits 1", "Lists books"]);
});

test("an added member is placed before the tear-down", async () => {
  const form = await (await addAll("Lists books")).submit("Check", { phase: "tearDown" });
  const more = await form.submit("Add selected tests", { picked: [made.testIds["Waits 1"]!] });
  expect(getMembers(more)).toEqual(["Waits 1", "Lists books"]);
});

test("all tests are added of the API and with the tag that the button names, whatever was typed since", async () => {
  const { apiId: otherId } = await makeTests(portal.backend, targetApi);
  const found = await (await visitor.open(address)).submit("Find", { "find-tag": "shop" });
  const added = await found.submit("Add all with the tag shop", { "find-tag": "other", "find-api": otherId });
  expect(getMembers(added)).toEqual(["All safe tests of Bookshop with the tag shop"]);
  const saved = await added.submit("Create circle", { name: "Of the shop" });
  const { items } = requireValue(await portal.backend.testRegistry.listCircles({ query: { query: "Of the" } }), "list");
  expect(saved.text).toContain("Of the shop is saved.");
  expect(items[0]?.apiIds).toEqual([made.apiId]);
});

test("a chosen environment is kept when environments can't be listed, and is saved", async () => {
  const { testRegistry, apiRegistry } = portal.backend;
  const other = await makeTests(portal.backend, targetApi);
  const items = [{ name: "staging", baseUrl: "https://staging.example.com" }];
  requireValue(await apiRegistry.replaceEnvironments({ params: { apiId: other.apiId }, body: { items } }), "staging");
  const members = [made, other].map(({ testIds }) => ({ kind: "test" as const, testId: testIds["Lists books"]! }));
  const environments = { [other.apiId]: "staging" };
  const stored = await testRegistry.createCircle({ body: { name: "Staged", members, environments } });
  const params = { testCircleId: requireValue(stored, "circle").id };

  const end = portal.failAt("api-registry", `/apis/${other.apiId}/environments`);
  const form = await visitor.open(`/test-management/${made.apiId}/test-circles/${params.testCircleId}/edit`);
  const saved = await form.submit("Save", { name: "Still staged" });
  end();
  expect(form.text).toContain("Others can't be listed right now");
  expect(saved.text).toContain("Still staged is saved.");
  expect(requireValue(await testRegistry.getCircle({ params }), "circle").environments).toEqual(environments);
});
