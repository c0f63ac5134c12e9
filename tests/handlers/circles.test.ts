import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import type { FormPage } from "../support/form-page.ts";
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
  made = await makeTests(portal.backend, targetApi, 2);
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

/** The texts of the list of members, row by row. */
function getMembers({ html }: FormPage): string[] {
  return [...html.matchAll(/data-member="([^"]*)"/g)].map(([, name]) => name!);
}

const add = (page: FormPage, ...names: string[]) =>
  page.submit("Add selected tests", { picked: names.map((name) => made.testIds[name]!) });

test("a circle is created from ticked tests, ordered, saved, found, changed, copied and deleted, without script", async () => {
  const { apiId } = made;
  const empty = await visitor.open(`/test-management/${apiId}/test-circles/list`);
  expect(empty.text).toContain("No circles yet");
  let form = await empty.follow("Create a circle");
  form = await form.submit("Create circle", { name: "Checkout" });
  expect([form.status, form.text]).toEqual([422, expect.stringContaining("Choose at least one test")]);
  expect(form.value("name")).toBe("Checkout");

  form = await add(form, "Lists books", "Waits 1");
  form = await add(form, "Waits 2");
  expect(getMembers(form)).toEqual(["Lists books", "Waits 1", "Waits 2"]);
  form = await form.submit("Move Waits 2 up");
  form = await form.submit("Remove Waits 1");
  expect(getMembers(form)).toEqual(["Lists books", "Waits 2"]);
  expect(form.value("name")).toBe("Checkout");
  form = await form.submit("Add a variable");
  form = await form.submit("Add a secret variable", { "variables[0].name": "shop" });
  form = await form.submit("Create circle", { "variables[0].value": "1" });
  expect(form.status).toBe(422);
  expect(form.errors("secrets[0].name")).toContain("Give it a name");
  const saved = await form.submit("Create circle", { "secrets[0].name": "key", "secrets[0].secret": "open-sesame" });
  expect(saved.heading).toBe("Checkout");
  expect(saved.text).toContain("Checkout is saved.");
  expect(saved.html).not.toContain("open-sesame");

  const edit = await saved.follow("Edit");
  const renamed = await edit.submit("Save", { name: "Checkout, daily", order: "parallel", concurrency: "0" });
  expect(renamed.errors("concurrency")).toContain("At least 1");
  const list = await (await renamed.submit("Save", { concurrency: "2" })).follow("Circles");
  expect(list.rows("Checkout, daily")[0]).toContain("2 in parallel");
  const copy = await list.submit("Copy", {}, "Checkout, daily");
  expect(copy.heading).toBe("Checkout, daily (copy)");
  expect(copy.text).toContain("was created with its variables, but without schedules");

  const all = await visitor.open("/test-management/test-circles/list?query=copy");
  const requested = await all.follow("Delete");
  expect(requested.text).toContain("This can't be undone");
  expect((await requested.submit("Delete circle")).text).toContain("was deleted");
  const { items } = requireValue(await portal.backend.testRegistry.listCircles({ query: { apiId } }), "list");
  expect(items.map(({ name }) => name)).toEqual(["Checkout, daily"]);
});

test("all tests of an API are added as a selection that grows with it", async () => {
  const { apiId } = await makeTests(portal.backend, targetApi);
  let form = await visitor.open("/test-management/test-circles/create");
  form = await form.submit("Find", { "find-api": apiId, name: "Everything" });
  form = await form.submit("Add all");
  expect(form.text).toContain("2 tests now");
  const saved = await form.submit("Create circle");
  expect(saved.address).toContain(`/test-management/${apiId}/test-circles/`);
});

test("a value without a source is reported before saving, and saved nevertheless when confirmed", async () => {
  const { apiId, backend } = await makeTests(portal.backend, targetApi);
  const created = await backend.testRegistry.createTest({
    params: { apiId },
    body: {
      ...{ name: "Needs a token", method: "get", path: "/books" },
      request: { headers: [{ name: "x-token", value: "{{token}}", enabled: true }] } as never,
      assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
    },
  });
  const testId = requireValue(created, "test").id;
  let form = await visitor.open(`/test-management/${apiId}/test-circles/create`);
  form = await form.submit("Add selected tests", { picked: [testId], name: "Tokens" });
  const requested = await form.submit("Create circle");
  expect(requested.status).toBe(422);
  expect(requested.text).toContain("{{token}} is used by test 1, but no earlier test captures it");
  const saved = await requested.submit("Save anyway");
  expect(saved.heading).toBe("Tokens");
});

test("a circle that another user has saved meanwhile is refused with a notice and without loss of input", async () => {
  const { apiId } = made;
  let form = await add(await visitor.open(`/test-management/${apiId}/test-circles/create`), "Lists books");
  form = await (await form.submit("Create circle", { name: "Twice" })).follow("Edit");
  await form.submit("Save", { name: "Twice, first" });
  const refused = await form.submit("Save", { name: "Twice, second" });
  expect(refused.text).toContain("Someone else changed this circle");
  expect(refused.value("name")).toBe("Twice, second");
});

test("a circle submitted after its session had ended is restored with its tests, except its secrets", async () => {
  const { apiId } = made;
  const deleted = await portal.signIn();
  let form = await add(await deleted.open(`/test-management/${apiId}/test-circles/create`), "Waits 1", "Lists books");
  form = await form.submit("Add a secret variable");
  deleted.lose(/session/);
  const login = await form.submit("Create circle", { "secrets[0].name": "key", "secrets[0].secret": "open-sesame" });
  const back = await login.submit("Login", portal.administrator);
  expect(getMembers(back)).toEqual(["Lists books", "Waits 1"]);
  expect(back.value("secrets[0].name")).toBe("key");
  expect(back.html).not.toContain("open-sesame");
});

test("a circle is run from its list, its results are read there, and its runs are found by verdict", async () => {
  const { apiId, testIds, backend } = await makeTests(portal.backend, targetApi);
  const members = ["Lists books", "Wants the impossible"].map((name) => ({
    kind: "test" as const,
    testId: testIds[name]!,
  }));
  requireValue(await backend.testRegistry.createCircle({ body: { name: "Bookshop daily", members } }), "circle");
  const list = await visitor.open(`/test-management/${apiId}/test-circles/list`);
  expect(list.rows("Bookshop daily")[0]).toMatch(/Not run.*Not scheduled/);
  let run = await list.submit("Run Bookshop daily");
  expect(run.address).toMatch(/test-circles\/[^/]+\/executions\/[^/]+\/results$/);
  await vi.waitUntil(async () => {
    run = await visitor.open(run.address);
    return !/Queued|Running/.test(run.text);
  });
  expect(run.heading).toBe("Run of Bookshop daily");
  expect(run.text).toMatch(/Failures.*Wants the impossible.*418/);
  const runs = await run.follow("Runs");
  const ofCircle = await visitor.open(run.address.replace(/\/[^/]+\/results$/, "/list"));
  expect(ofCircle.heading).toBe("Bookshop daily");
  expect((await ofCircle.submit("Filter", { verdict: "passed" })).text).toContain("No matching runs");
  expect((await ofCircle.submit("Filter", { verdict: "failed" })).rows("Bookshop daily")).toHaveLength(1);
  expect(runs.status).toBe(200);
  const again = await visitor.open(`/test-management/${apiId}/test-circles/list`);
  expect(again.rows("Bookshop daily")[0]).toMatch(/Failed.*Administrator.*0 of 1 run passed, last failed \d+ s ago/);
  const overview = await again.follow("Bookshop daily");
  expect(overview.text).toMatch(
    /1 of 2 executions fails since.*Expected status code 418.*Not scheduled.*2 members.*Pass rate ?50.0 %/,
  );
  expect(overview.rows("Bookshop daily")).toHaveLength(1);
  const file = await (await overview.follow("24 hours")).follow("Download as CSV");
  expect(file.html.trim().split("\r\n").at(-1)).toMatch(/,2,1,0,0,1,0.5,1,0,/);
  expect(
    (await visitor.open(`/test-management/${apiId}/test-circles/executions/list`)).rows("Bookshop daily"),
  ).toHaveLength(1);
});

test("a schedule shows its next runs before it is saved, is changed, paused and deleted", async () => {
  const { apiId, testIds, backend } = await makeTests(portal.backend, targetApi);
  const body = { name: "Scheduled", members: [{ kind: "test" as const, testId: testIds["Lists books"]! }] };
  requireValue(await backend.testRegistry.createCircle({ body }), "circle");
  const circle = await (await visitor.open(`/test-management/${apiId}/test-circles/list`)).follow("Scheduled");
  expect(circle.text).toContain("No schedule. Runs manually only.");
  const form = await circle.follow("Add a schedule");
  const wrong = await form.submit("Create schedule", { cron: "61 7 * * *", timeZone: "Europe/Berlin" });
  expect(wrong.status).toBe(422);
  expect(wrong.errors("cron")).not.toBe("");
  expect((await form.submit("Create schedule", { timeZone: "Europe/Atlantis" })).errors("timeZone")).not.toBe("");

  const displayed = await form.submit("Show next runs", {
    cron: "30 2 * * *",
    timeZone: "Europe/Berlin",
    name: "Nightly",
  });
  expect(displayed.text.match(/02:30 CES?T/g)?.length).toBeGreaterThanOrEqual(9);
  expect(displayed.text).toMatch(/30 runs in the next 30 days.*30 executions a month/);
  expect(displayed.text).toMatch(/occurs twice; the first is used/);
  const saved = await displayed.submit("Create schedule");
  expect(saved.rows("Nightly")[0]).toMatch(/30 2 \* \* \*.*Europe\/Berlin.*02:30 CES?T/);

  const edit = await saved.follow("Nightly");
  expect(edit.value("timeZone")).toBe("Europe/Berlin");
  const paused = await edit.submit("Save", { kind: "interval", every: "1", unit: "hours", enabled: false });
  expect(paused.rows("Nightly")[0]).toMatch(/every hour.*Paused/);
  const requested = await (await paused.follow("Nightly")).follow("Delete");
  const deleted = await requested.submit("Delete schedule");
  expect(deleted.text).toContain("The schedule was deleted.");
  expect(deleted.text).toContain("No schedule. Runs manually only.");
});

test("a circle's service level is set, shown with its budget, changed by one user at a time, and removed", async () => {
  const { apiId, testIds, backend } = await makeTests(portal.backend, targetApi);
  const members = ["Lists books", "Wants the impossible"].map((name) => ({
    kind: "test" as const,
    testId: testIds[name]!,
  }));
  const circle = requireValue(
    await backend.testRegistry.createCircle({ body: { name: "Levelled", members } }),
    "circle",
  );
  const params = { testCircleId: circle.id };
  await toTheEnd(backend.testExecutioner).runCircle({ params, body: {} });
  const overview = await visitor.open(`/test-management/${apiId}/test-circles/${circle.id}`);
  const form = await overview.follow("Set an objective");
  const refused = await form.submit("Save", { objective: "100", days: "3" });
  expect([refused.status, refused.value("objective"), refused.value("days")]).toEqual([422, "100", "3"]);
  expect([refused.errors("objective"), refused.errors("days")]).toEqual([
    expect.stringContaining("At most 99.999"),
    expect.stringContaining("At least 7 days"),
  ]);
  const saved = await form.submit("Save", { objective: "75", days: "30" });
  expect(saved.text).toContain("75 % of results pass in 30 days");
  expect(saved.text).toMatch(/Error budget exhausted.*So far ?50.0 % ?of 2 results.*Burn rate ?2/);
  const list = await visitor.open(`/test-management/${apiId}/test-circles/list`);
  expect(list.rows("Levelled")[0]).toContain("Budget used up");

  const late = await saved.follow("Change it");
  await (await saved.follow("Change it")).submit("Save", { objective: "50", counts: "availability" });
  const stale = await late.submit("Save", { objective: "60" });
  expect([stale.status, stale.value("objective")]).toEqual([412, "60"]);
  expect(stale.text).toContain("Someone else changed this service level");
  const fine = await visitor.open(overview.address);
  expect(fine.text).toMatch(/50 % of responding to requests in 30 days.*Budget left ?100 %/);

  const requested = await (await fine.follow("Change it")).follow("Delete");
  const deleted = await requested.submit("Delete");
  expect(deleted.text).toContain("No service level yet. Set an objective.");
});
