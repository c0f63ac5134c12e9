/**
 * How throughput grows with worker processes on PostgreSQL with its default settings: 1 to 16, each held to a share of a core,
 * so that two cores can show it, against targets that take 200 ms to respond. For each number of processes: executions a
 * second while more wait than can be taken; processor time of worker and database, time in statements and write-ahead
 * log of each execution, as medians of three rounds; and how late executions start at seven tenths of that load. A model is
 * fitted to 1, 2, 4, 8 and 16 processes, and checked against 6 and 12.
 *
 *     npm run bench:scale [-- SHARE]
 */
import type { ChildProcess } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { requireValue } from "../services/kit/client/client.ts";
import { openPostgresDatabase } from "../services/kit/database/database.ts";
import { createTestDatabase } from "../services/kit/testing/databases.ts";
import { createExecutionWorld } from "../services/test-executioner/testing/world.ts";
import { readFamilyTime, readProcessorTime, startProcess } from "./measured-process.ts";
import { openProcessorShares } from "./processor-share.ts";
import { fitModel, predict, type Throughput } from "./scalability-model.ts";
import { serveSlowTarget } from "./slow-target.ts";

const program = fileURLToPath(import.meta.url);
const workerProgram = fileURLToPath(new URL("../services/test-executioner/testing/worker-process.ts", import.meta.url));
const share = Number(process.argv[2] ?? 0.1);
const counts = [1, 2, 4, 6, 8, 12, 16];
/** Measured, and not fitted. */
const checked = new Set([6, 12]);
const latencyMilliseconds = 200;
const organizations = 16;
const membersOfRun = 25;
const roundCount = 3;
const seconds = { warmUp: 12, settle: 3, full: 10, partly: 12 };
/** A worker takes some hundred at once, which at its share of a core end together after seconds: fewer would measure its waves. */
const leastEnded = 600;
/** Executions for each process that have not ended, at least, while as many as possible are measured: more than it takes at once. */
const leastWaiting = 200;

interface Round extends Throughput {
  /** Of each execution, in milliseconds. */
  ofWorkers: number;
  ofDatabase: number;
  statements: number;
  /** Bytes. */
  log: number;
  load: number;
}

const median = (numbers: number[]) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]!;

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function measure(): Promise<void> {
  const target = await startProcess(program, "--target");
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url);
  const { kysely } = database;
  const world = await createExecutionWorld(database, { work: false });
  const shares = await openProcessorShares();
  const workers: ChildProcess[] = [];
  const tenants: { client: ReturnType<typeof world.connect>; tests: string[] }[] = [];
  for (let index = 0; index < organizations; index += 1) {
    const tenant = await world.createTenant(`http://127.0.0.1:${target.said}`);
    const data = Array.from({ length: membersOfRun }, (_, row) => ({ row: String(row) }));
    tenants.push({ client: tenant.client, tests: [(await tenant.createTest({ data })).id] });
  }
  let turn = 0;
  async function startRun(): Promise<void> {
    const { client, tests } = tenants[turn++ % organizations]!;
    requireValue(await client.startRun({ body: { source: { tests } } }), "run");
    world.logged.length = 0;
  }
  const countWaiting = async () =>
    (
      await sql<{ count: number }>`select count(*)::int as count from test_executioner.unfinished_executions`.execute(
        kysely,
      )
    ).rows[0]!.count;
  /** For so many seconds, keeps more waiting than can be taken. */
  async function keepFull(processes: number, duration: number): Promise<void> {
    const end = performance.now() + duration * 1_000;
    while (performance.now() < end) {
      const least = leastWaiting * (processes + 1);
      for (let waiting = await countWaiting(); waiting < least; waiting += membersOfRun) await startRun();
      await pause(200);
    }
  }
  /** For so many seconds, starts executions at a rate. */
  async function keepAt(rate: number, duration: number): Promise<void> {
    const begun = performance.now();
    for (let started = 0; performance.now() < begun + duration * 1_000; started += membersOfRun) {
      await startRun();
      const next = begun + ((started + membersOfRun) / rate) * 1_000;
      await pause(Math.max(0, next - performance.now()));
    }
  }
  async function drain(): Promise<void> {
    while ((await countWaiting()) > 0) await pause(100);
  }
  async function read() {
    const { rows } = await sql<{ now: Date; ended: number; log: number; statements: number; pid: number }>`
      select clock_timestamp() as now, (select count(*)::int from test_executioner.executions) as ended,
        pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as log,
        (select active_time from pg_stat_database where datname = current_database()) as statements,
        pg_backend_pid() as pid`.execute(kysely);
    const row = rows[0]!;
    return {
      ...row,
      ofWorkers: readProcessorTime(workers.map(({ pid }) => pid)),
      ofDatabase: readFamilyTime(row.pid),
    };
  }
  const readLag = async (since: Date) =>
    (
      await sql<{ p50: number; p95: number }>`
        select percentile_cont(0.5) within group (order by lag) as p50, percentile_cont(0.95) within group (order by lag) as p95
        from test_executioner.executions,
          lateral (select (extract(epoch from started_at - queued_at) * 1000)::float8 as lag) lags
        where queued_at > ${since}`.execute(kysely)
    ).rows[0]!;

  print(
    `${availableParallelism()} cores; each process ${share} of one, by ${shares.way}; targets take ${latencyMilliseconds} ms`,
  );
  const rounds: Round[] = [];
  const lags = new Map<number, { p50: number; p95: number }>();
  /** These go on, the others stop; all run what was under way. */
  async function runOnly(chosen: readonly ChildProcess[]): Promise<void> {
    for (const worker of workers) worker.kill("SIGCONT");
    await drain();
    for (const worker of workers) worker.kill(chosen.includes(worker) ? "SIGCONT" : "SIGSTOP");
  }
  try {
    while (workers.length < Math.max(...counts)) {
      workers.push((await startProcess(workerProgram, url, "--lease", "60")).process);
    }
    // Each alone at full speed, until its code is compiled: before, an execution costs five times as much.
    for (const worker of workers) {
      await runOnly([worker]);
      await keepFull(1, seconds.warmUp);
    }
    for (const { pid } of workers) shares.hold(pid!, share);
    for (let round = 0; round < roundCount; round += 1) {
      // In another order each time, so that other load on the machine affects all.
      for (const processes of round % 2 === 0 ? counts : counts.toReversed()) {
        await runOnly(workers.slice(0, processes));
        await keepFull(processes, seconds.settle);
        const before = await read();
        let after: Awaited<ReturnType<typeof read>>;
        do {
          await keepFull(processes, seconds.full);
          after = await read();
        } while (after.ended - before.ended < leastEnded);
        const ended = after.ended - before.ended;
        const each = (name: "ofWorkers" | "ofDatabase" | "statements" | "log") => (after[name] - before[name]) / ended;
        const rate = ended / ((after.now.getTime() - before.now.getTime()) / 1_000);
        const [ofWorkers, ofDatabase, statements, log] = [
          each("ofWorkers"),
          each("ofDatabase"),
          each("statements"),
          each("log"),
        ];
        rounds.push({ processes, rate, ofWorkers, ofDatabase, statements, log, load: loadavg()[0]! });
        print(`  round ${round + 1}, ${processes} processes: ${rate.toFixed(1)} executions/s`);
        if (round < roundCount - 1) continue;
        await drain();
        const since = (await read()).now;
        await keepAt(rate * 0.7, seconds.partly);
        await drain();
        lags.set(processes, await readLag(since));
      }
    }
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await pause(200);
    await shares.end();
    target.process.kill();
    await world.stop();
    await database.close();
    await drop();
  }
  const measured = counts.map((processes): Throughput => {
    const own = rounds.filter((round) => round.processes === processes);
    const of = (name: keyof Round) => median(own.map((round) => round[name]));
    const rates = own.map(({ rate }) => rate.toFixed(0)).join(", ");
    const { p50, p95 } = lags.get(processes)!;
    print(
      `  ${String(processes).padStart(2)} processes: ${of("rate").toFixed(1).padStart(6)} executions/s (${rates}); each worker ${of("ofWorkers").toFixed(1)} ms, ` +
        `database ${of("ofDatabase").toFixed(1)} ms (${of("statements").toFixed(1)} ms in statements), ${Math.round(of("log"))} bytes of WAL; ` +
        `at 0.7: start lag p50 ${Math.round(p50)} ms, p95 ${Math.round(p95)} ms; load ${of("load").toFixed(0)}`,
    );
    return { processes, rate: of("rate") };
  });
  const model = fitModel(measured.filter(({ processes }) => !checked.has(processes)));
  print(
    `Fitted: ${model.rate.toFixed(1)} executions/s of one, contention ${model.contention.toFixed(4)}, coherency ${model.coherency.toFixed(5)}`,
  );
  const errors = measured.map(({ processes, rate }) => {
    const predicted = predict(model, processes);
    const error = predicted / rate - 1;
    const isChecked = checked.has(processes);
    print(
      `  ${String(processes).padStart(2)} processes: predicted ${predicted.toFixed(1)}, measured ${rate.toFixed(1)}, ${(error * 100).toFixed(1)} % off${isChecked ? ", not fitted" : ""}`,
    );
    return isChecked ? Math.abs(error) : 0;
  });
  const best = model.coherency > 0 ? Math.sqrt((1 - model.contention) / model.coherency) : Number.POSITIVE_INFINITY;
  print(
    Number.isFinite(best)
      ? `  most at ${Math.round(best)} processes: ${predict(model, best).toFixed(0)} executions/s`
      : `  no number of processes from which more do less; at most ${model.contention > 0 ? (model.rate / model.contention).toFixed(0) : "unlimited"} executions/s`,
  );
  print(`  largest error where it was not fitted: ${(Math.max(...errors) * 100).toFixed(1)} %`);
}

if (process.argv[2] === "--target") serveSlowTarget(latencyMilliseconds);
else await measure();
