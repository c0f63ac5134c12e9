import { sql } from "kysely";
import { expect } from "vitest";
import { type Database, openPostgresDatabase } from "../../kit/database/database.ts";
import { Nats } from "../../kit/nats/nats.ts";
import { createTestDatabase } from "../../kit/testing/databases.ts";
import type { startNatsServer } from "../../kit/testing/nats-server.ts";
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

interface KillOptions {
  target: Target;
  kills: number;
  /** Hands out the work; killed for a moment between two kills of workers. */
  nats?: Awaited<ReturnType<typeof startNatsServer>>;
}

/**
 * Runs tests by two workers on PostgreSQL of which one is killed again and again, and expects none lost or doubled.
 * @returns how many executions there were
 */
export async function killWorkers({ target, kills, nats }: KillOptions): Promise<number> {
  const { url, drop } = await createTestDatabase();
  const installation = new URL(url).pathname.slice(1).replace("_", "");
  const options = { offeredChannels: [workChannel], log: { info() {}, warn() {} } };
  const carrier = nats && new Nats({ url: nats.url, installation, ...options });
  const database = await openPostgresDatabase(url, { carrier });
  const world = await createExecutionWorld(database, {
    ...(carrier && { offers: carrier.offers }),
    ...{ work: false, withAnalyzer: true },
  });
  const tenant = await world.createTenant(target.baseUrl);
  for (let index = 0; index < 40; index += 1) await tenant.createTest({ name: `t${index}`, path: `/t${index}` });
  const claims = await watchClaims(database);
  const startNamed = (name: string) => {
    const location = new URL(url);
    location.searchParams.set("application_name", name);
    const offering = nats ? ["--nats", nats.url, "--installation", installation] : [];
    // No lease expires, even on the busiest machine.
    return { name, ...startWorker(location.href, "--lease", "600", ...offering) };
  };
  const accepted: string[] = [];
  const killed: string[] = [];
  const before = target.requests.length;
  let workers = [startNamed("worker 1"), startNamed("worker 2")];
  await Promise.all(workers.map((worker) => worker.accepted));
  for (let number = 0; number < kills; number += 1) {
    await nats?.start();
    const run = await tenant.client.runTestsOfApi({ params: { apiId: tenant.apiId }, query: {}, body: {} });
    accepted.push(...(run.ok ? run.value.items.map(({ id }) => id) : []));
    await pause(Math.random() * 1_200);
    const [doomed, other] = workers as [(typeof workers)[0], (typeof workers)[0]];
    await doomed.kill();
    killed.push(doomed.name);
    await nats?.kill();
    await claims.endLeases(doomed.name);
    workers = [other, startNamed(`worker ${number + 3}`)];
    // Otherwise both would sometimes be dead at once, which is a longer version of the same test.
    await workers[1]!.accepted;
  }
  await nats?.start();
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
  expect(accepted.length).toBe(40 * kills);
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
