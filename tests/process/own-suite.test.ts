import { afterAll, beforeAll, expect, test } from "vitest";
import type { PlannedCircle, SuitePlan } from "#contracts/test-analyzer/suite-plans.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { readExecution } from "../../bench/made-suite/executions.ts";
import { type Executed, type JudgedExecution, judgeExecution } from "../../bench/made-suite/judged-executions.ts";
import type { StartedServer } from "../../bench/made-suite/measured-server.ts";
import { type RecordingProxy, startRecordingProxy } from "../../bench/made-suite/recording-proxy.ts";
import { awaitRuns, readMembers } from "../../bench/made-suite/rounds.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { portalItself } from "../support/portal-itself.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

let portal: PortalProcess;
let backend: PortalBackend;
/** The portal as an API of another organization. */
let itself: StartedServer;
/** In front of it: the portal sends no requests to itself. */
let front: RecordingProxy;
let apiId: string;

beforeAll(async () => {
  portal = await startPortalProcess({ environment: { EGRESS_ALLOW: "loopback", LOG_LEVEL: "error" } });
  backend = await signInToBackend(portal);
  itself = await portalItself.start({ portal });
  front = await startRecordingProxy(itself.origin);
  const source = { document: itself.documentFor(front.origin) };
  apiId = requireValue(await backend.apiRegistry.registerApi({ body: { source } }), "registering").id;
  for (const credential of itself.credentials ?? []) {
    const body = { name: "Token", domain: new URL(front.origin).host, ...credential };
    requireValue(await backend.securityService.createCredential({ body }), "storing the token");
  }
});
afterAll(async () => {
  await front.stop();
  await portal.stop();
});

/** The plan for every operation, by the hundred as the page does it. */
async function planAll(): Promise<SuitePlan[]> {
  const params = { apiId };
  const plans: SuitePlan[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 100, ...(cursor ? { cursor } : {}) };
    const page = requireValue(await backend.apiRegistry.listOperations({ params, query }), "operations");
    const operations = page.items.map(({ method, path }) => ({ method, path }));
    plans.push(requireValue(await backend.testAnalyzer.planSuite({ params, body: { operations } }), "plan"));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return plans;
}

/** What a token of an organization's owner may do, without asking a person. */
function isReachable(
  { kind, steps, isSafe: changesNothing }: PlannedCircle,
  tests: Map<string, SuitePlan["tests"][number]>,
) {
  const all = steps.map((step) => tests.get(step.test)!);
  const isRefused = ({ test: { method, path } }: (typeof all)[number]) =>
    Object.hasOwn(itself.unreachable ?? {}, `${method} ${path}`);
  // Its invalid requests are thousands, for its own tests of refusals.
  return kind !== "refusals" && changesNothing && all.every((one) => one.needs.length === 0 && !isRefused(one));
}

async function make(circle: PlannedCircle, tests: Map<string, SuitePlan["tests"][number]>): Promise<void> {
  const items = circle.steps.map((step) => tests.get(step.test)!.test);
  const made = await backend.testRegistry.createTests({ params: { apiId }, body: { items, keepExisting: true } });
  const ids = requireValue(made, circle.name).items.map(({ id }) => id);
  const members = circle.steps.map(({ phase, effect }, index) => ({ testId: ids[index]!, phase, effect }));
  const { name, order, cookies, variables } = circle;
  const body = { name, order, cookies, variables, members, onlyOwn: true };
  const { id: testCircleId } = requireValue(await backend.testRegistry.createCircle({ body }), circle.name);
  requireValue(await backend.testExecutioner.startRun({ body: { source: { testCircleId } } }), circle.name);
}

/** The run that it would cancel may be over. */
const mayBeLate = "post /api/test-executioner/api/v1/runs/{runId}/cancel";

test("the portal's own suite, made by itself, says something with every test and leaves nothing behind", async () => {
  const before = await itself.readState!();
  const made = new Set<string>();
  for (const plan of await planAll()) {
    const tests = new Map(plan.tests.map((one) => [one.key, one]));
    for (const circle of plan.circles.filter((one) => isReachable(one, tests) && !made.has(one.name))) {
      made.add(circle.name);
      await make(circle, tests);
    }
  }
  const runs = await awaitRuns(backend, apiId);

  const judged: (Executed & JudgedExecution)[] = [];
  for (const run of runs) {
    for (const member of await readMembers(backend, run.id)) {
      const { executed } = await readExecution(backend, member);
      if (executed.operation !== mayBeLate) judged.push({ ...executed, ...judgeExecution(executed) });
    }
  }
  const inWords = (some: typeof judged) =>
    some.map(({ operation, verdict, statusCode, reason }) => [operation, verdict, statusCode, reason].join(" "));
  expect(inWords(judged.filter(({ worth }) => worth === "useless"))).toEqual([]);
  // Skipped are reads of lists that are empty here.
  expect(inWords(judged.filter(({ verdict }) => verdict !== "passed" && verdict !== "skipped"))).toEqual([]);
  const passed = judged.filter(({ verdict }) => verdict === "passed");
  expect(passed.length).toBeGreaterThan(200);
  expect(passed.some(({ operation }) => !isSafe(operation.split(" ")[0]!))).toBe(true);
  const after = await itself.readState!();
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
}, 600_000);
