import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { before, openRepository, untitled } from "../support/compared-books.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

let portal: PortalProcess;
let access: Record<string, string>;
let blind: Record<string, string>;

beforeAll(async () => {
  portal = await startPortalProcess({ environment: { LOG_LEVEL: "error" } });
  const { apiRegistry, testRegistry, testAnalyzer, securityService } = await signInToBackend(portal);
  const document = { document: before, fileName: "openapi.yaml" };
  const api = requireValue(await apiRegistry.registerApi({ body: { source: document } }), "API");
  const assertions = [
    { source: "jsonPath" as const, property: "$.title", comparison: "equals" as const, target: "Emma" },
  ];
  const body = { name: "Finds Emma", method: "get", path: "/books", request: {}, assertions };
  const { id: testId } = requireValue(await testRegistry.createTest({ params: { apiId: api.id }, body }), "test");
  const circle = { name: "Daily", members: [{ testId }] };
  const { id: testCircleId } = requireValue(await testRegistry.createCircle({ body: circle }), "circle");
  const schedule = { name: "Mornings", cron: "0 7 * * *", timeZone: "UTC" };
  requireValue(await testRegistry.createSchedule({ params: { testCircleId }, body: schedule }), "schedule");
  const channel = { kind: "webhook" as const, name: "On call", url: "https://hooks.example.com/alerts" };
  const { id: channelId } = requireValue(await testAnalyzer.createChannel({ body: channel }), "channel");
  const rule = { scope: { kind: "circle" as const, testCircleId }, channelIds: [channelId] };
  requireValue(await testAnalyzer.createRule({ body: rule }), "rule");
  const issue = async (scopes: ("apis:read" | "tests:read")[]) =>
    requireValue(await securityService.createApiToken({ body: { name: scopes.join(), scopes } }), "token").token;
  access = { ASSURANCE_URL: portal.origin, ASSURANCE_TOKEN: await issue(["apis:read", "tests:read"]) };
  blind = { ASSURANCE_URL: portal.origin, ASSURANCE_TOKEN: await issue(["apis:read"]) };
}, 120_000);
afterAll(async () => {
  await portal.stop();
});

let repository: ReturnType<typeof openRepository>;
beforeEach(() => {
  repository = openRepository();
});
afterEach(() => repository.close());

test("against a portal, the tests that break, their circles, schedules and alert rules are named", async () => {
  repository.write("openapi.yaml", untitled);
  for (const given of [[], ["--api", "books"]]) {
    const { code, stdout, stderr } = await repository.diff(["openapi.yaml", ...given], access);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain(
      '✗ openapi.yaml:5  GET /books  "title" of the response 200 was removed. (response.property.removed)',
    );
    expect(stdout).toMatch(/\nTests that break\n {2}Finds Emma \(GET \/books\) {2}assertion 1: .*title.*\n/);
    expect(stdout).toContain("\nCircles that run them\n  Daily  scheduled: Mornings\n");
    expect(stdout).toContain("\nAlert rules that apply\n  of the circle Daily, to On call\n");
  }
  const { stdout } = await repository.diff(["openapi.yaml", "--json"], access);
  expect(JSON.parse(stdout)).toMatchObject({
    before: "Books",
    touched: {
      tests: [{ name: "Finds Emma", operation: "GET /books" }],
      circles: [{ name: "Daily", schedules: ["Mornings"] }],
    },
  });
  repository.write("openapi.yaml", before);
  const same = await repository.diff(["openapi.yaml"], access);
  expect([same.code, same.stdout]).toEqual([0, "No changes; 3 operations are the same.\n"]);
});

test("a token that may not read tests compares, and says what is not known", async () => {
  repository.write("openapi.yaml", untitled);
  const { code, stdout } = await repository.diff(["openapi.yaml"], blind);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining("Tests, circles, schedules and alert rules are not listed: the token may not read tests"),
  ]);
});

test("no portal, an unknown API and a portal that is away have codes of their own", async () => {
  const anonymous = await repository.diff(["before.yaml"], { HOME: repository.folder });
  expect([anonymous.code, anonymous.stderr]).toEqual([4, expect.stringContaining('Run "assurance login"')]);
  const unknown = await repository.diff(["before.yaml", "--api", "Films"], access);
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('No API has the name "Films"')]);
  const refused = await repository.diff(["before.yaml"], { ...access, ASSURANCE_TOKEN: "aap_wrong" });
  expect(refused.code).toBe(4);
  const away = await repository.diff(["before.yaml"], { ...access, ASSURANCE_URL: "http://127.0.0.1:9" });
  expect([away.code, away.stderr]).toEqual([2, expect.stringContaining("can't be reached")]);
}, 60_000);
