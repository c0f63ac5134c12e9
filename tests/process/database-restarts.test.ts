import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCluster } from "../../scripts/postgres.js";
import { requireAnswer } from "../../services/kit/client/client.ts";
import { repetitions, tell } from "../../services/kit/testing/endurance.ts";
import { backendOf, type PortalBackend, registerApi } from "../support/portal-backend.ts";
import { signInForToken } from "../support/portal-process.ts";
import { type Program, serverProgram, startProgram } from "../support/program.ts";
import { ask, signInForCookies } from "../support/raw-request.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

const administrator = { username: "admin", password: "correct-horse-battery" };
/** Each process does that much between two faults, so that every fault falls among work. */
const rounds = repetitions(3, 20);

/** One of three processes on the database, and what its users were told. */
interface Portal {
  program: Program;
  origin: string;
  cookie: string;
  backend: PortalBackend;
  /** Names of credentials and ids of runs that were answered for. */
  credentials: string[];
  runs: string[];
  pages: number;
  refusals: number;
  unexpected: string[];
}

let cluster: Awaited<ReturnType<typeof startCluster>>;
let targetApi: TargetApi;
let place: string;
const portals: Portal[] = [];

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "portal-restarts-"));
  [cluster, targetApi] = await Promise.all([startCluster(), startTargetApi()]);
  for (let number = 0; number < 3; number++) portals.push(await startPortal(number));
});
afterAll(async () => {
  for (const { program } of portals) await program.kill();
  cluster?.stop();
  await targetApi?.stop();
  rmSync(place, { recursive: true, force: true });
});

async function startPortal(number: number): Promise<Portal> {
  const program = startProgram(serverProgram, {
    DATABASE_URL: cluster.url,
    DATA_DIRECTORY: join(place, String(number)),
    SECRETS_KEY: "one key for all processes of this installation",
    ADMIN_PASSWORD: administrator.password,
    EGRESS_ALLOW: "loopback",
    LOG_LEVEL: "warn",
  });
  const origin = await program.says(/portal is ready at (\S+)/);
  const backend = backendOf(origin, await signInForToken({ origin, ...administrator }));
  const cookie = await signInForCookies(origin, administrator);
  return { program, origin, cookie, backend, credentials: [], runs: [], pages: 0, refusals: 0, unexpected: [] };
}

/** Writes, runs and reads until told to stop; only 503 excuses from an answer. */
async function work(portal: Portal, number: number, testId: string, goesOn: () => boolean): Promise<void> {
  const { backend, unexpected } = portal;
  const refused = async (what: string, status: number, retryAfter: unknown) => {
    portal.refusals += 1;
    if (status !== 503 || !Number(retryAfter)) unexpected.push(`${what}: ${status}, retry after ${retryAfter}`);
    await pause(50);
  };
  const write = async () => {
    for (let count = 0; goesOn(); count++) {
      const name = `portal ${number} credential ${count}`;
      const answer = await backend.securityService.createCredential({
        body: { name, domain: "api.example.com", type: "bearer", settings: {}, secret: `secret of ${name}` },
      });
      if (answer.ok) portal.credentials.push(name);
      else await refused("credential", answer.status, answer.retryAfterSeconds);
    }
  };
  const run = async () => {
    while (goesOn()) {
      const answer = await backend.testExecutioner.runTest({ params: { testId }, body: {} });
      if (answer.ok) portal.runs.push(answer.value.id);
      else await refused("run", answer.status, answer.retryAfterSeconds);
      await pause(50);
    }
  };
  const read = async () => {
    while (goesOn()) {
      const page = await ask(portal.origin, "/api-management/list", { headers: { cookie: portal.cookie } });
      if (page.status === 200) portal.pages += 1;
      else await refused(`page “${/<h1>([^<]*)/.exec(page.text)?.[1]}”`, page.status, page.headers["retry-after"]);
      await pause(50);
    }
  };
  await Promise.all([write(), run(), read()]);
}

const done = ({ credentials, runs, pages }: Portal) => Math.min(credentials.length, runs.length, pages);

/** Until each process has answered for so much more of everything. */
async function moreIsDone(): Promise<void> {
  const goals = portals.map((portal) => done(portal) + rounds);
  while (portals.some((portal, index) => done(portal) < goals[index]!)) {
    for (const { program } of portals) if (program.process.exitCode !== null) throw new Error(program.output());
    await pause(50);
  }
}

async function killBackend(): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query(
    "select pid from pg_stat_activity where application_name = 'api-assurance-portal' order by state_change desc limit 1",
  );
  process.kill(rows[0].pid, "SIGKILL");
  await client.end().catch(() => {});
}

const faults: [string, () => Promise<void>][] = [
  ["ended with a word", async () => restart("fast")],
  ["ended without a word", async () => restart("immediate")],
  ["one backend killed", killBackend],
];

async function restart(mode: "fast" | "immediate"): Promise<void> {
  cluster.end(mode);
  await pause(200);
  cluster.start();
}

test("D05: three processes outlive their database, lose nothing they answered for and double no run", async () => {
  const { backend } = portals[0]!;
  const apiId = await registerApi(backend, targetApi.documentUrl);
  const created = await backend.testRegistry.createTest({
    params: { apiId },
    body: { name: "Runs", method: "GET", path: "/books", request: {}, checks: ["not_a_server_error"] },
  });
  const { id: testId } = requireAnswer(created, "creating the test");
  let working = true;
  const workers = portals.map((portal, number) => work(portal, number, testId, () => working));
  await moreIsDone();
  for (const [name, strike] of faults) {
    await strike();
    const struckAt = performance.now();
    await moreIsDone();
    tell(
      `${name}: all processes did ${rounds} more of everything within ${Math.round(performance.now() - struckAt)} ms`,
    );
  }
  working = false;
  await Promise.all(workers);

  for (const { program, origin, unexpected } of portals) {
    expect(unexpected).toEqual([]);
    expect(program.process.exitCode).toBeNull();
    await expect.poll(async () => (await ask(origin, "/actuator/health")).status).toBe(200);
    expect(program.output()).not.toContain('"level":50');
    // Said once when the database goes and once when it is back, whatever goes on asking for it.
    expect(program.output()).not.toMatch(/(jobs|events|executions|results) could not be/);
  }
  expect(portals.reduce((sum, { refusals }) => sum + refusals, 0)).toBeGreaterThan(0);

  const stored = await listCredentials(backend);
  const acknowledged = portals.flatMap(({ credentials }) => credentials);
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);

  const runs = portals.flatMap((portal) => portal.runs);
  expect(new Set(runs).size).toBe(runs.length);
  for (const executionId of runs) {
    const read = async () =>
      requireAnswer(await backend.testExecutioner.getExecution({ params: { executionId } }), "reading a run");
    await expect.poll(read).toMatchObject({ state: "finished", verdict: "passed" });
  }
  await eachRunIsRecordedOnce();
  tell(`${acknowledged.length} credentials and ${runs.length} runs answered for, none lost`);
});

test("told to end while its database is frozen, a process does not wait for it", async () => {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const { rows } = await client.query("select pid from pg_stat_activity where backend_type = 'client backend'");
  await client.end();
  const frozen = [cluster.pid(), ...rows.map(({ pid }) => Number(pid))];
  for (const pid of frozen) signal(pid, "SIGSTOP");
  try {
    for (const { program } of portals) program.process.kill("SIGTERM");
    expect(await Promise.all(portals.map(({ program }) => program.ended))).toEqual([1, 1, 1]);
    for (const { program } of portals) expect(program.output()).toContain("the database does not answer");
  } finally {
    for (const pid of frozen) signal(pid, "SIGCONT");
  }
});

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The connection by which it was found has ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function listCredentials(backend: PortalBackend): Promise<Set<string>> {
  const names = new Set<string>();
  let cursor: string | undefined;
  do {
    const answer = await backend.securityService.listCredentials({ query: { limit: 200, cursor } });
    const page = requireAnswer(answer, "listing credentials");
    for (const { name } of page.items) names.add(name);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return names;
}

/** Each row counted as often as it is: an execution a run, and once in the hours that dashboards read. */
async function eachRunIsRecordedOnce(): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const ask = async (text: string) => (await client.query(text)).rows;
  const executions = "test_executioner.executions";
  expect(await ask(`select run_id from ${executions} group by run_id having count(*) <> 1`)).toEqual([]);
  expect(await ask("select id from test_executioner.runs where state <> 'finished' or unfinished <> 0")).toEqual([]);
  const [recorded] = await ask(`select count(*)::int as executions from ${executions}`);
  const [counted] = await ask(`
    select sum(passed)::int as executions from test_executioner.execution_counts
    where subject_id in (select test_id from ${executions})`);
  expect(counted).toEqual(recorded);
  await client.end();
}
