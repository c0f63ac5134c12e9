/**
 * 1,000 tests against an API that takes 50 ms to respond, on PostgreSQL: by one worker process and by two, of one
 * organization (48 requests at once per process) and of eight. The lower bound is the sum of the pauses. Processor time
 * is printed as well: where workers, database and target share a machine, its cores are a lower bound, too. All is measured
 * nine times; every time is printed, and medians decide. Two workers must do the work of eight organizations 1.7 times
 * faster; the gain of one organization is only printed.
 *
 *     npm run bench:workers
 */
import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { requireValue } from "../services/kit/client/client.ts";
import { openPostgresDatabase } from "../services/kit/database/database.ts";
import { createTestDatabase } from "../services/kit/testing/databases.ts";
import { createExecutionWorld } from "../services/test-executioner/testing/world.ts";
import { readProcessorTime, startProcess } from "./measured-process.ts";
import { serveSlowTarget } from "./slow-target.ts";

const program = fileURLToPath(import.meta.url);
const workerProgram = fileURLToPath(new URL("../services/test-executioner/testing/worker-process.ts", import.meta.url));
const testCount = 1_000;
const latencyMilliseconds = 50;
/** Concurrency per process, of one organization and of all. */
const atOnceOfOne = 48;
const rounds = 9;
/** Warm-up rounds: a worker that has just started is slow, and one of the two is newer. */
const warmUps = 3;

function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

async function measure(): Promise<void> {
  const target = await startProcess(program, "--target");
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url);
  const world = await createExecutionWorld(database, { work: false });
  const workers: ChildProcess[] = [];

  async function prepare(organizations: number) {
    const tenants: { client: ReturnType<typeof world.connect>; tests: string[] }[] = [];
    for (let index = 0; index < organizations; index += 1) {
      const tenant = await world.createTenant(`http://127.0.0.1:${target.said}`);
      const own = testCount / organizations;
      const data = Array.from({ length: Math.min(own, 125) }, (_, row) => ({ row: String(row) }));
      const tests: string[] = [];
      for (let rows = 0; rows < own; rows += data.length) tests.push((await tenant.createTest({ data })).id);
      tenants.push({ client: tenant.client, tests });
    }
    return async () => {
      const start = performance.now();
      const runs = await Promise.all(
        tenants.map(async ({ client, tests }) =>
          requireValue(await client.startRun({ query: { wait: 60 }, body: { source: { tests } } }), "running"),
        ),
      );
      const milliseconds = performance.now() - start;
      for (const { verdict } of runs) if (verdict !== "passed") throw new Error(`A run ended ${verdict}.`);
      return milliseconds;
    };
  }

  /** Per execution, by participant. */
  const processorTimes: { workers: number; database: number; target: number; starter: number }[] = [];
  async function readProcessorTimes() {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database()`.execute(database.kysely);
    const { user, system } = process.cpuUsage();
    return {
      workers: readProcessorTime(workers.map(({ pid }) => pid)),
      database: readProcessorTime(rows.map(({ pid }) => pid)),
      target: readProcessorTime([target.process.pid]),
      starter: (user + system) / 1_000,
    };
  }

  async function repeat(run: () => Promise<number>): Promise<number[]> {
    for (let round = 0; round < warmUps; round += 1) await run();
    const before = await readProcessorTimes();
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await run());
    const after = await readProcessorTimes();
    const of = (part: keyof typeof after) => (after[part] - before[part]) / rounds / testCount;
    const [ofWorkers, ofDatabase] = [of("workers"), of("database")];
    processorTimes.push({ workers: ofWorkers, database: ofDatabase, target: of("target"), starter: of("starter") });
    return times;
  }

  const times: Record<string, number[]> = {};
  try {
    const ofOne = await prepare(1);
    const ofEight = await prepare(8);
    for (const count of [1, 2]) {
      workers.push((await startProcess(workerProgram, url)).process);
      times[`one/${count}`] = await repeat(ofOne);
      times[`eight/${count}`] = await repeat(ofEight);
    }
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    target.process.kill();
    await world.stop();
    await database.close();
    await drop();
  }

  const floor = (testCount / atOnceOfOne) * latencyMilliseconds;
  const show = (milliseconds: number) => `${Math.round(milliseconds)} ms`.padStart(8);
  print(`${testCount} tests of an API that takes ${latencyMilliseconds} ms, median of ${rounds}:`);
  print(`  floor at ${atOnceOfOne} at once                 ${show(floor)}`);
  for (const [of, organizations] of [
    ["one", "one organization"],
    ["eight", "eight organizations"],
  ] as const) {
    for (const [count, workers] of [
      [1, "one worker"],
      [2, "two workers"],
    ] as const) {
      const measured = times[`${of}/${count}`]!;
      const all = measured.map((time) => Math.round(time)).join(", ");
      print(`  ${`${organizations}, ${workers}`.padEnd(35)}${show(median(measured))}  (${all})`);
    }
  }
  const medianTime = (name: string) => median(times[name]!);
  const toFloor = medianTime("one/1") / floor;
  const twoToOne = (of: string) => medianTime(`${of}/1`) / medianTime(`${of}/2`);
  print(`  one worker to the floor ${toFloor.toFixed(2)} (wanted: at most 1.4)`);
  print(`  one worker to two, one organization ${twoToOne("one").toFixed(2)}`);
  print(`  one worker to two, eight organizations ${twoToOne("eight").toFixed(2)} (wanted: at least 1.7)`);
  const cores = availableParallelism();
  const getSum = (index: number) => Object.values(processorTimes[index]!).reduce((sum, time) => sum + time, 0);
  // The speedup of two is limited by the cores that all processes share.
  const max = (of: string) =>
    medianTime(`${of}/1`) / ((getSum(Object.keys(times).indexOf(`${of}/2`)) * testCount) / cores);
  print(
    `  what ${cores} cores allow: ${max("one").toFixed(2)} with one organization, ${max("eight").toFixed(2)} with eight`,
  );
  for (const [index, name] of Object.keys(times).entries()) {
    const { workers, database, target, starter } = processorTimes[index]!;
    const all = getSum(index);
    const parts = [workers, database, target, starter].map((time) => time.toFixed(2));
    print(
      `  processor time an execution, ${name}: workers ${parts[0]}, database ${parts[1]}, target ${parts[2]}, starter ${parts[3]} ms; ` +
        `${cores} cores need ${Math.round((all * testCount) / cores)} ms`,
    );
  }
  process.exitCode = toFloor <= 1.4 && twoToOne("eight") >= 1.7 ? 0 : 1;
}

if (process.argv[2] === "--target") serveSlowTarget(latencyMilliseconds);
else await measure();
