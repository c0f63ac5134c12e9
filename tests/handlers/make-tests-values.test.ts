import { afterAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { getTicked, keysOf, openCircleGeneration } from "../support/generated-circles.ts";

const { portal, library, registerLibrary, make, listCircles, getNames, ended, stop } = await openCircleGeneration();
afterAll(stop);

test("values that only a person knows are requested once, and what has none is left out", async () => {
  const apiId = await registerLibrary();
  const page = await make(apiId);
  expect(page.text).toContain("Values needed");
  expect(page.text).toMatch(/day.*Used by 2 tests/);
  expect(page.text).toContain("Without day it is not created.");
  const before = library.requests.length;
  const circle = keysOf(page, "Calls of hours", "Reads of reports");
  const run = await page.submit("Create and run", { circle, invalid: false });
  expect(run.heading).toContain("Calls of hours");
  expect(run.text).toContain("1 circle left out");
  expect(run.text).toContain("day has no value.");
  await ended(apiId, 1);
  expect(library.requests.slice(before)).toEqual(["GET /hours"]);
  expect(await getNames(apiId)).toEqual(["Calls of hours"]);
  const nothing = await page.submit("Create and run", { circle: keysOf(page, "Reads of reports"), invalid: false });
  expect([nothing.status, nothing.text]).toEqual([422, expect.stringContaining("Nothing was created")]);
  expect(getTicked(nothing)).toEqual(["Reads of reports"]);
  // Given later, through the link in the notice.
  const later = await run.follow("Enter values");
  const saved = await later.submit("Save values", { "value:day": "2026-11-28" });
  expect(saved.text).toContain("The values are saved.");
  expect([saved.value("value:day"), saved.text.includes("is not created")]).toEqual(["2026-11-28", false]);
  const tooLong = await saved.submit("Save values", { "value:day": "x".repeat(10_001) });
  expect([tooLong.status, tooLong.text]).toEqual([422, expect.stringContaining("The values were not saved")]);
});

test("a value of the current environment is not missing: circles run with it, and none of it is saved elsewhere", async () => {
  const apiId = await registerLibrary();
  const { apiRegistry, testRegistry } = portal.backend;
  const staging = { name: "staging", baseUrl: library.origin, variables: { day: "2026-11-28" } };
  requireValue(await apiRegistry.replaceEnvironments({ params: { apiId }, body: { items: [staging] } }), "staging");
  const without = await make(apiId);
  expect(without.text).toContain("Tests that use the empty one are skipped.");
  await without.submit("Use", { environment: "staging" });
  const page = await make(apiId);
  expect(page.text).toContain("given by environment staging");
  expect(page.value("value:day")).toBe("");
  const run = await page.submit("Create and run", { circle: keysOf(page, "Reads of reports"), invalid: false });
  expect([run.heading, run.text]).toEqual([
    expect.stringContaining("Reads of reports"),
    expect.not.stringContaining("has no value"),
  ]);
  expect(await ended(apiId, 1)).toEqual(["passed"]);
  const [made] = await listCircles(apiId);
  const testCircleId = made!.id;
  const circle = requireValue(await testRegistry.getCircle({ params: { testCircleId } }), "circle");
  expect(circle.environments).toEqual({ [apiId]: "staging" });
  const { variables } = requireValue(await apiRegistry.getVariables({ params: { apiId } }), "variables");
  expect(variables).toEqual({});
});
