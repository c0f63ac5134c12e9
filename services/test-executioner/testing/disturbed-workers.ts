import { sql } from "kysely";
import { expect } from "vitest";
import { type Database, openPostgresDatabase } from "../../kit/database/database.ts";
import { Nats } from "../../kit/nats/nats.ts";
import { createTestDatabase } from "../../kit/testing/databases.ts";
import { workChannel } from "../store/changes.ts";
import type { Target } from "./target.ts";
import { watchClaims } from "./watched-claims.ts";
import { startWorker } from "./worker.ts";
import { createExecutionWorld } from "./world.ts";

export interface Ends {
  id: string;
  state: string;
  verdict: string | null;
  cause: string | null;
  details: number;
}

export async function listEnds(database: Database): Promise<Map<string, Ends>> {
  const { rows } = await sql<Ends>`
    select id, state, verdict, cause,
      (select count(*)::int from test_executioner.execution_details where execution_id = execution.id) as details
    from test_executioner.executions execution
    union all
    select id, state, null, null, 0 from test_executioner.unfinished_executions`.execute(database.kysely);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Each ended once, with a result or after its third worker was lost. */
export function expectAllEnded(ends: Map<string, Ends>, ids: string[]) {
  for (const id of ids) {
    const end = ends.get(id);
    expect(end, id).toMatchObject({ state: "finished", details: 1 });
    if (end!.verdict === "passed") continue;
    expect(end!.verdict).toBe("errored");
    expect(JSON.parse(end!.cause!)).toMatchObject({ code: "worker_lost" });
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Actions of a disturbance. */
export interface Disturbing {
  /** From 0. */
  round: number;
  /**
   * Kills the older worker and starts another.
   * @param meanwhile before the leases of the dead one end
   */
  replaceWorker(meanwhile?: () => Promise<unknown>): Promise<void>;
}

interface DisturbedOptions {
  target: Target;
  rounds: number;
  /** Started in each round. Default 40. */
  tests?: number;
  /** Offers work: its address for the process that starts runs, and for each worker. */
  nats?: { url: string; workerUrls: readonly string[]; replicas?: number };
  /** Called in each round while its tests are running. */
  disturb(disturbing: Disturbing): Promise<unknown>;
}

/**
 * Runs tests with two workers on PostgreSQL that are disturbed repeatedly, and expects no execution lost or doubled.
 * @returns how many executions there were
 */
export async function disturbWorkers(options: DisturbedOptions): Promise<number> {
  const { target, rounds, tests = 40, nats, disturb } = options;
  const { url, drop } = await createTestDatabase();
  const installation = new URL(url).pathname.slice(1).replace("_", "");
  const replicas = nats?.replicas ?? 1;
  const connecting = { installation, replicas, offeredChannels: [workChannel], log: { info() {}, warn() {} } };
  const carrier = nats && new Nats({ url: nats.url, ...connecting });
  const database = await openPostgresDatabase(url, { carrier });
  const world = await createExecutionWorld(database, {
    ...(carrier && { offers: carrier.offers }),
    ...{ work: false, withAnalyzer: true },
  });
  const tenant = await world.createTenant(target.baseUrl);
  for (let index = 0; index < tests; index += 1) await tenant.createTest({ name: `t${index}`, path: `/t${index}` });
  const claims = await watchClaims(database);
  let started = 0;
  const startNext = () => {
    const location = new URL(url);
    const workerUrl = nats?.workerUrls[started % nats.workerUrls.length];
    started += 1;
    const name = `worker ${started}`;
    location.searchParams.set("application_name", name);
    const offering = workerUrl
      ? ["--nats", workerUrl, "--installation", installation, "--replicas", String(replicas)]
      : [];
    // No lease expires, even on the busiest machine.
    return { name, ...startWorker(location.href, "--lease", "600", ...offering) };
  };
  const accepted: string[] = [];
  const killed: string[] = [];
  const before = target.requests.length;
  const workers = [startNext(), startNext()];
  await Promise.all(workers.map((worker) => worker.accepted));
  for (let round = 0; round < rounds; round += 1) {
    const run = await tenant.client.runTestsOfApi({ params: { apiId: tenant.apiId }, query: {}, body: {} });
    accepted.push(...(run.ok ? run.value.items.map(({ id }) => id) : []));
    await pause(Math.random() * 1_200);
    await disturb({
      round,
      async replaceWorker(meanwhile) {
        const doomed = workers.shift()!;
        await doomed.kill();
        killed.push(doomed.name);
        await meanwhile?.();
        await claims.endLeases(doomed.name);
        workers.push(startNext());
        // Otherwise both would sometimes be dead at once, which is a longer version of the same test.
        await workers.at(-1)!.accepted;
      },
    });
  }
  await expect
    .poll(async () => [...(await listEnds(database)).values()].filter(({ state }) => state !== "finished").length)
    .toBe(0);
  const ends = await listEnds(database);
  for (const worker of workers) await worker.kill();
  const claimed = await claims.list();
  await world.stop();
  await database.close();
  await carrier?.close();
  await drop();
  expect(accepted.length).toBe(tests * rounds);
  expectAllEnded(ends, accepted);
  // No execution is taken from a live worker, and each claim sends the request at most once.
  expect(claimed.flatMap(({ workers }) => workers.slice(0, -1)).filter((name) => !killed.includes(name))).toEqual([]);
  const sent = target.requests.slice(before).map(({ url }) => url);
  for (const path of new Set(sent)) {
    const takings = claimed.filter((one) => one.path === path).flatMap(({ workers }) => workers);
    expect(sent.filter((url) => url === path).length, path).toBeLessThanOrEqual(takings.length);
  }
  return accepted.length;
}
