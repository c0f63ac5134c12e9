import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { startCluster } from "../../scripts/postgres.js";
import { requireValue } from "../../services/kit/client/client.ts";
import { repetitions } from "./endurance.ts";
import { type PortalBackend, registerApi, signInToBackend } from "./portal-backend.ts";
import { type Program, serverProgram, startProgram } from "./program.ts";
import { signInForCookies } from "./raw-request.ts";
import { startTargetApi } from "./target-api.ts";
import { BalancedBrowser, watchRun } from "./watched-run.ts";

const administrator = { username: "admin", password: "correct-horse-battery" };

/** One of the processes on the database, and the responses that its users got. */
export interface WorkingPortal {
  program: Program;
  origin: string;
  cookie: string;
  backend: PortalBackend;
  /** Names of credentials and ids of runs that were acknowledged. */
  credentials: string[];
  runs: string[];
  pages: number;
  /** Runs that were watched by their events until they had ended. */
  watched: number;
  refusals: number;
  /** Refusals other than a 503 with `Retry-After`. */
  unexpected: string[];
}

type Cluster = Awaited<ReturnType<typeof startCluster>>;

export interface PortalsAtWork<Kind = Cluster> {
  cluster: Kind;
  portals: WorkingPortal[];
  /** Until each process has acknowledged this many more of everything. */
  moreIsDone(rounds: number): Promise<void>;
  /** Ends the work, waits until every requested run has ended, and compares the stored data with the acknowledged. */
  settle(): Promise<Settled>;
  stop(): Promise<void>;
}

export interface Settled {
  acknowledged: number;
  /** Acknowledged, but missing. */
  lost: string[];
  /** Runs that ended differently than without faults, and rows counted more than once or not at all. */
  wrong: string[];
}

/** A process on this database, with the administrator's calls. */
export async function startPortalOn(
  url: string,
  dataDirectory: string,
  secretsKey = "one key for all processes of this installation",
) {
  const program = startProgram(serverProgram, {
    DATABASE_URL: url,
    DATA_DIRECTORY: dataDirectory,
    SECRETS_KEY: secretsKey,
    ADMIN_PASSWORD: administrator.password,
    EGRESS_ALLOW: "loopback",
    LOG_LEVEL: "warn",
  });
  const origin = await program.says(/portal is ready at (\S+)/);
  const backend = await signInToBackend({ origin, ...administrator });
  return { program, origin, backend };
}

/** Processes on their own PostgreSQL, in each of which users write, run and read without a pause. */
export async function startPortalsAtWork(count: number): Promise<PortalsAtWork> {
  return await startPortalsOn(await startCluster(), count);
}

/** The same on this one, which is stopped with them. */
export async function startPortalsOn<Kind extends { url: string; stop(): void }>(
  cluster: Kind,
  count: number,
): Promise<PortalsAtWork<Kind>> {
  const location = mkdtempSync(join(tmpdir(), "portal-restarts-"));
  const targetApi = await startTargetApi();
  const portals: WorkingPortal[] = [];
  let working = true;
  let work: Promise<void>[] = [];
  const stop = async () => {
    working = false;
    await Promise.allSettled(work);
    for (const { program } of portals) await program.kill();
    cluster.stop();
    await targetApi.stop();
    rmSync(location, { recursive: true, force: true });
  };
  const prepare = async () => {
    for (let number = 0; number < count; number++) {
      const { program, origin, backend } = await startPortalOn(cluster.url, join(location, String(number)));
      const cookie = await signInForCookies(origin, administrator);
      const nothing = { credentials: [], runs: [], pages: 0, watched: 0, refusals: 0, unexpected: [] };
      portals.push({ program, origin, cookie, backend, ...nothing });
    }
    const { backend } = portals[0]!;
    const apiId = await registerApi(backend, targetApi.documentUrl);
    const created = await backend.testRegistry.createTest({
      params: { apiId },
      body: { name: "Runs", method: "GET", path: "/books", request: {}, checks: ["not_a_server_error"] },
    });
    return { backend, apiId, testId: requireValue(created, "creating the test").id };
  };
  const { backend, ...tested } = await prepare().catch(async (error) => {
    await stop();
    throw error;
  });
  work = portals.map((portal, number) => workIn(portal, number, tested, () => working));

  return {
    cluster,
    portals,
    async moreIsDone(rounds) {
      const goals = portals.map((portal) => done(portal) + rounds);
      while (portals.some((portal, index) => done(portal) < goals[index]!)) {
        for (const { program } of portals) if (program.process.exitCode !== null) throw new Error(program.output());
        await pause(20);
      }
    },
    async settle() {
      working = false;
      await Promise.all(work);
      const stored = await listCredentials(backend);
      const acknowledged = portals.flatMap(({ credentials }) => credentials);
      const runs = portals.flatMap((portal) => portal.runs);
      const lost = acknowledged.filter((name) => !stored.has(name));
      const wrong: string[] = [];
      for (const executionId of new Set(runs)) {
        const execution = await untilFinished(backend, executionId);
        if (!execution) lost.push(`execution ${executionId}`);
        else if (execution !== "passed") wrong.push(`execution ${executionId} ${execution}`);
      }
      if (new Set(runs).size !== runs.length) wrong.push("two runs were answered for with one id");
      await untilAllFinished(cluster.url);
      wrong.push(...(await miscounts(cluster.url)));
      return { acknowledged: acknowledged.length + runs.length, lost, wrong };
    },
    stop,
  };
}

/** In the suite only, where other tests need the processor, too. */
const writePauseMs = repetitions(25, 0);

/** Writes, runs, reads and watches until stopped; only a 503 is an acceptable refusal. */
async function workIn(
  portal: WorkingPortal,
  number: number,
  { apiId, testId }: { apiId: string; testId: string },
  goesOn: () => boolean,
): Promise<void> {
  const { backend, unexpected } = portal;
  const refused = async (what: string, status: number, retryAfter: unknown) => {
    portal.refusals += 1;
    if (status !== 503 || !Number(retryAfter)) unexpected.push(`${what}: ${status}, retry after ${retryAfter}`);
    await pause(50);
  };
  const write = async () => {
    for (let count = 0; goesOn(); count++) {
      const name = `portal ${number} credential ${count}`;
      const result = await backend.securityService.createCredential({
        body: { name, domain: "api.example.com", type: "bearer", settings: {}, secret: `secret of ${name}` },
      });
      if (result.ok) portal.credentials.push(name);
      else await refused("credential", result.status, result.retryAfterSeconds);
      await pause(writePauseMs);
    }
  };
  let newest: string | undefined;
  const run = async () => {
    while (goesOn()) {
      const result = await backend.testExecutioner.runTest({ params: { testId }, body: {} });
      if (result.ok) {
        portal.runs.push(result.value.id);
        newest = result.value.runId;
      } else await refused("run", result.status, result.retryAfterSeconds);
      await pause(50);
    }
  };
  const read = async () => {
    const browser = new BalancedBrowser(() => [portal.origin], portal.cookie);
    while (goesOn()) {
      const page = await browser.open("/api-management/list");
      if (page.status === 200) portal.pages += 1;
      else await refused(`page “${/<h1>([^<]*)/.exec(page.text)?.[1]}”`, page.status, page.headers["retry-after"]);
      await pause(50);
    }
  };
  const watch = async () => {
    const browser = new BalancedBrowser(() => [portal.origin], portal.cookie);
    while (goesOn()) {
      await pause(50);
      if (!newest) continue;
      const watched = watchRun(browser, `/test-management/${apiId}/runs/${newest}`);
      while (watched.run?.state !== "finished" && portal.program.process.exitCode === null) await pause(20);
      watched.close();
      portal.watched += 1;
    }
  };
  await Promise.all([write(), run(), read(), watch()]);
}

const done = ({ credentials, runs, pages, watched }: WorkingPortal) =>
  Math.min(credentials.length, runs.length, pages, watched);

export const errors: Record<string, (cluster: Cluster) => Promise<void>> = {
  "ended with a word": (cluster) => restart(cluster, "fast"),
  "ended without a word": (cluster) => restart(cluster, "immediate"),
  "one backend killed": killBackend,
};

/** Resolves when the server accepts connections again. */
async function restart(cluster: Cluster, mode: "fast" | "immediate"): Promise<void> {
  cluster.end(mode);
  await pause(200);
  cluster.start();
}

/** The server then ends all other backends, and recovers automatically. */
async function killBackend(cluster: Cluster): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query(
    "select pid from pg_stat_activity where application_name = 'api-assurance-portal' order by state_change desc limit 1",
  );
  process.kill(rows[0].pid, "SIGKILL");
  await client.end().catch(() => {});
}

export async function listCredentials(backend: PortalBackend): Promise<Set<string>> {
  const names = new Set<string>();
  let cursor: string | undefined;
  do {
    const result = await backend.securityService.listCredentials({ query: { limit: 200, cursor } });
    const page = requireValue(result, "listing credentials");
    for (const { name } of page.items) names.add(name);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return names;
}

/** Its verdict; undefined when there is no such execution. */
export async function untilFinished(backend: PortalBackend, executionId: string): Promise<string | undefined> {
  for (;;) {
    const result = await backend.testExecutioner.getExecution({ params: { executionId } });
    if (result.status === 404) return undefined;
    const { state, verdict } = requireValue(result, "reading a run");
    if (state === "finished") return String(verdict);
    await pause(50);
  }
}

/**
 * Runs whose response was lost in a fault have started, too. If the response to a worker's claim was lost, such a run
 * waits for the lease to end, which takes a minute.
 */
async function untilAllFinished(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  while ((await client.query("select from test_executioner.unfinished_executions limit 1")).rowCount) await pause(50);
  await client.end();
}

/** Each row must be counted exactly once: an execution in its run, and in the hours that dashboards read. */
export async function miscounts(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ask = async (text: string) => (await client.query(text)).rows;
  const executions = "test_executioner.executions";
  const [twice, unfinished, [recorded], [counted]] = [
    await ask(`select run_id from ${executions} group by run_id having count(*) <> 1`),
    await ask("select id from test_executioner.runs where state <> 'finished' or unfinished <> 0"),
    await ask(`select count(*)::int as count from ${executions}`),
    await ask(`
      select sum(passed)::int as count from test_executioner.execution_counts
      where subject_id in (select test_id from ${executions})`),
  ];
  await client.end();
  const difference = recorded.count === counted.count ? [] : [`${recorded.count} executions, counted ${counted.count}`];
  return [
    ...twice.map((row) => `run ${row.run_id} has not one execution`),
    ...unfinished.map((row) => `run ${row.id} is unfinished`),
    ...difference,
  ];
}
