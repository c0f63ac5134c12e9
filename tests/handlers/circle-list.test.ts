import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
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
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

async function createCircle(name: string) {
  const body = { name, members: [{ kind: "test" as const, testId: made.testIds["Lists books"]! }] };
  return requireValue(await portal.backend.testRegistry.createCircle({ body }), "circle");
}

/** The confirmation before a circle of this name is deleted. */
async function askToDelete(name: string): Promise<string> {
  const list = await visitor.open(`/test-management/test-circles/list?query=${encodeURIComponent(name)}`);
  return (await list.follow("Delete")).text;
}

test("deleting a circle names the schedules and maintenance windows that are deleted with it", async () => {
  const { testRegistry } = portal.backend;
  await createCircle("Bare");
  expect(await askToDelete("Bare")).toContain(
    "Also deleted: its alert rule, trends, service level and status page. Its tests",
  );

  const { id: testCircleId } = await createCircle("Laden");
  const schedule = async (body: object) =>
    requireValue(
      await testRegistry.createSchedule({ params: { testCircleId }, body: { timeZone: "Europe/Berlin", ...body } }),
      "schedule",
    );
  await schedule({ cron: "0 7 * * *", name: "Mornings", enabled: false });
  await schedule({ everySeconds: 3_600 });
  const times = { kind: "once" as const, from: "2040-01-01T00:00:00Z", to: "2040-01-02T00:00:00Z" };
  const plan = async (body: { name: string; testCircleId?: string }) =>
    requireValue(await testRegistry.createMaintenanceWindow({ body: { ...body, times } }), "window");
  await plan({ name: "Moving house", testCircleId });
  await plan({ name: "Of everyone" });
  const requested = await askToDelete("Laden");
  expect(requested).toContain(
    "Also deleted: 2 schedules (every hour, Mornings), 1 maintenance window (Moving house), its alert rule, trends, service level and status page.",
  );
  expect(requested).not.toContain("Of everyone");

  for (const cron of ["1 7 * * *", "2 7 * * *"]) await schedule({ cron });
  expect(await askToDelete("Laden")).toContain("Also deleted: 4 schedules, 1 maintenance window");
  const end = portal.failAt("test-registry", "/schedules");
  expect(await askToDelete("Laden")).toContain("Also deleted: its schedules, 1 maintenance window (Moving house)");
  end();
});
