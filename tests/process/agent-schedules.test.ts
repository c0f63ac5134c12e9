import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Occurrence } from "#contracts/test-executioner/occurrences.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { type AgentAtWork, createLocation, registerAgent } from "../support/agent-at-work.ts";
import { repetitions, reportFigure } from "../support/endurance.ts";
import { listFreePorts } from "../support/free-ports.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { type Program, serverProgram, startProgram } from "../support/program.ts";

const administrator = { username: "admin", password: "correct-horse-battery" };
/** The shortest that a schedule can have. */
const everySeconds = 30;
/** Due times that the portal is away for, and how often it is killed. */
const missedTimes = repetitions(2, 4);
const kills = repetitions(1, 5);

let location: string;
let database: TestDatabase;
let target: Target;
let port: number;
let portal: Program;
let agent: AgentAtWork;

async function startPortal(): Promise<string> {
  portal = startProgram(serverProgram, {
    ...{ DATABASE_URL: database.url, DATA_DIRECTORY: location, ADMIN_PASSWORD: administrator.password },
    ...{ PORT: String(port), SECRETS_KEY: "one key for all processes of this installation", LOG_LEVEL: "warn" },
  });
  return await portal.says(/portal is ready at (\S+)/);
}

beforeAll(async () => {
  location = mkdtempSync(join(tmpdir(), "agent-schedules-"));
  [port = 0] = await listFreePorts(1);
  database = await createTestDatabase();
  target = await startTarget((_, response) => void response.end("{}"));
});
afterAll(async () => {
  await agent?.stop();
  await portal?.kill();
  await database?.drop();
  await target?.close();
  rmSync(location, { recursive: true, force: true });
});

/** Of a circle that creates something by a name of its own, reads it and deletes it, and may change nothing else. */
const life = [
  { phase: "setUp", method: "put", effect: "makes" },
  { phase: "main", method: "get" },
  { phase: "tearDown", method: "delete" },
] as const;

async function createLife({ apiRegistry, testRegistry, securityService }: PortalBackend): Promise<string[]> {
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const responses = { 200: { description: "ok" } };
  const operations = Object.fromEntries(life.map(({ method }) => [method, { responses }]));
  const paths = { "/things/{id}": { parameters: [id], ...operations } };
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Inside", version: "1" }, paths });
  const registered = await apiRegistry.registerApi({ body: { source: { document }, baseUrl: target.baseUrl } });
  const { id: apiId } = requireValue(registered, "an API");
  // Schedules send nothing else that may change something.
  requireValue(
    await securityService.createDomain({ body: { name: target.host, unsafeMethods: "allowed" } }),
    "a domain",
  );
  const request = { pathParameters: [{ name: "id", value: "{{name}}" }] };
  const assertions = [{ source: "statusCode" as const, comparison: "equals" as const, target: 200 }];
  const items = life.map(({ method }) => ({ name: method, method, path: "/things/{id}", request, assertions }));
  const made = await testRegistry.createTests({ params: { apiId }, body: { items } as never });
  return requireValue(made, "tests").items.map(({ id }) => id);
}

async function schedule({ testRegistry }: PortalBackend, tests: string[], locationId: string): Promise<string> {
  const members = life.map(({ method: _, ...member }, index) => ({ testId: tests[index]!, ...member }));
  const variables = [{ name: "name", value: "of-{{$uuid}}" }];
  const body = { ...{ name: "Inside", members, locationId, variables }, onlyOwn: true };
  const params = { testCircleId: requireValue(await testRegistry.createCircle({ body }), "a circle").id };
  const created = await testRegistry.createSchedule({ params, body: { timeZone: "UTC", everySeconds } });
  return requireValue(created, "a schedule").id;
}

const hasPlan = () => {
  try {
    return JSON.parse(readFileSync(join(agent.folder, "plan.json"), "utf8")).schedules.length;
  } catch {
    return 0;
  }
};

test("J04: an agent starts each due time that the portal is away for, and each is recorded once, late, with its result", async () => {
  const origin = await startPortal();
  const backend = await signInToBackend({ origin, ...administrator });
  const locationId = await createLocation(backend, "Berlin");
  const scheduleId = await schedule(backend, await createLife(backend), locationId);
  agent = await registerAgent(backend, origin, locationId);
  const program = agent.start(["--start-after", "5"], [target.host]);
  await expect.poll(hasPlan, { timeout: 300_000 }).toBe(1);
  const listStarted = () =>
    [...program.output().matchAll(/started without the portal .*scheduledFor=(\S+)/g)].map(([, moment]) => moment!);
  const list = async (): Promise<Occurrence[]> => {
    const query = { scheduleId, limit: 200 };
    return requireValue(await backend.testExecutioner.listOccurrences({ query }), "occurrences").items;
  };

  for (let number = 1; number <= kills; number += 1) {
    await portal.kill();
    const before = listStarted().length;
    await expect.poll(() => listStarted().length, { timeout: 600_000 }).toBeGreaterThanOrEqual(before + missedTimes);
    await startPortal();
    const isRecorded = ({ scheduledFor, run }: Occurrence) =>
      listStarted().includes(scheduledFor) && run?.state === "finished";
    await expect
      .poll(async () => (await list()).filter(isRecorded).length, { timeout: 300_000 })
      .toBe(listStarted().length);
  }

  requireValue(await backend.testRegistry.deleteSchedule({ params: { scheduleId } }), "the end of the schedule");
  await expect
    .poll(async () => (await list()).filter(({ run }) => run && run.state !== "finished"), { timeout: 300_000 })
    .toEqual([]);
  const occurrences = (await list()).reverse();
  const times = occurrences.map(({ scheduledFor }) => Date.parse(scheduledFor) / 1_000 / everySeconds);
  expect(times).toEqual(times.map((_, index) => times[0]! + index));
  const runs = occurrences.flatMap(({ run }) => run?.id ?? []);
  expect(new Set(runs).size).toBe(runs.length);
  const sentFor = (name: string | null) =>
    target.requests.filter(({ url }) => url === `/things/${name}`).map(({ method }) => method);
  let late = 0;
  for (const { scheduledFor, isLate, run } of occurrences) {
    if (!listStarted().includes(scheduledFor)) continue;
    const found = await backend.testExecutioner.getRun({ params: { runId: run!.id }, query: {} });
    const { lateAgentId, queuedAt, counts, verdict, captures } = requireValue(found, "run");
    expect([verdict, counts.executions, counts.passed]).toEqual(["passed", life.length, life.length]);
    // Unless the portal was back in time, and the agent's result answered its run.
    if (lateAgentId === undefined) continue;
    late += 1;
    expect([isLate, lateAgentId, queuedAt]).toEqual([true, agent.agentId, scheduledFor]);
    // What its page shows is what was sent.
    const { value: name } = captures.find((one) => one.name === "name")!;
    expect(sentFor(name)).toEqual(life.map(({ method }) => method.toUpperCase()));
  }
  expect(late).toBeGreaterThan(0);
  const { length } = await backend.testExecutioner
    .listRuns({ query: { limit: 200 } })
    .then((listed) => requireValue(listed, "runs").items);
  expect(length).toBe(runs.length);
  reportFigure(
    `The portal was killed ${kills} times for ${missedTimes} due times each: of ${occurrences.length}, the agent started ${listStarted().length}, 0 lost, 0 recorded twice, ${target.requests.length - runs.length * life.length} requests sent again.`,
  );
});
