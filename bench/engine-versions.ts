/**
 * 500 GET tests with three assertions each against an API on loopback, "run all" with results stored, on this version
 * and on an earlier one: both portals run side by side on the embedded database, then both on PostgreSQL, and
 * alternate, so that other load on the machine affects both. Prints medians of the time and of the processor time of each
 * portal's process, and the ratio. The earlier version is checked out and built in a temporary folder, or in the given
 * one, where it is kept for the next run.
 *
 *     npm run build && npm run bench:engine-versions [-- commit [folder for the checkout]]
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestDatabase } from "../services/kit/testing/databases.ts";
import { type PortalClient, signIn } from "./engine/portal-client.ts";
import { type RunningPortal, startPortal, startTarget } from "./engine/processes.ts";
import { requestCount } from "./engine/suite.ts";
import { buildVersion, removeVersion } from "./engine/versions.ts";
import { readProcessorTime } from "./measured-process.ts";

const targetProgram = fileURLToPath(new URL("./engine.ts", import.meta.url));
const password = "a password for the benchmark";
/** Of 21 November 2026; the baseline of the engine since then. */
const defaultCommit = "bb27de95";
const rounds = 15;
/** Warm-up rounds: a process that has just started is slow. */
const warmUps = 4;
/** Access tokens are valid for minutes; on a busy machine a comparison takes longer. */
const signedInMilliseconds = 120_000;
/** Maximum share of the earlier version's time. */
const limits = { embedded: 0.8, PostgreSQL: 0.75 };

type Engine = keyof typeof limits;

interface Measured {
  milliseconds: number[];
  processorMilliseconds: number[];
}

interface Contestant extends Measured {
  name: string;
  portal: RunningPortal;
  client: PortalClient;
  signedInAt: number;
  apiId: string;
}

function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

const show = (milliseconds: number) => `${Math.round(milliseconds)} ms`.padStart(9);

async function runOnce(contestant: Contestant): Promise<void> {
  const { portal, apiId, ...measured } = contestant;
  if (performance.now() - contestant.signedInAt > signedInMilliseconds) {
    Object.assign(contestant, { client: await signIn(portal.address, password), signedInAt: performance.now() });
  }
  const { client } = contestant;
  const processorBefore = readProcessorTime([portal.pid]);
  const start = performance.now();
  await client.runAll(apiId);
  measured.milliseconds.push(performance.now() - start);
  measured.processorMilliseconds.push(readProcessorTime([portal.pid]) - processorBefore);
}

/** @returns whether the limit was met */
function report(engine: Engine, [earlier, ours]: [Contestant, Contestant]): boolean {
  print(`${engine}: ${requestCount} GET tests, 3 assertions each, results stored; medians of ${rounds}`);
  for (const { name, milliseconds, processorMilliseconds } of [earlier, ours]) {
    const range = `${Math.round(Math.min(...milliseconds))} to ${Math.round(Math.max(...milliseconds))} ms`;
    print(
      `  ${name.padEnd(16)}${show(median(milliseconds))}  (${range}), processor ${show(median(processorMilliseconds)).trim()}`,
    );
  }
  const getRatio = (read: (of: Measured) => number[]) => median(read(ours)) / median(read(earlier));
  const ratio = getRatio(({ milliseconds }) => milliseconds);
  const isStored = ratio <= limits[engine];
  print(
    `  ratio           ${ratio.toFixed(2).padStart(9)}  (at most ${limits[engine]}${isStored ? "" : ", MISSED"}), processor ${getRatio(({ processorMilliseconds }) => processorMilliseconds).toFixed(2)}`,
  );
  return isStored;
}

async function measure(engine: Engine, checkouts: { name: string; checkout: string }[], baseUrl: string) {
  const work = await mkdtemp(join(tmpdir(), "bench-engine-versions-"));
  const contestants: Contestant[] = [];
  const databases: { url: string; drop(): Promise<void> }[] = [];
  try {
    for (const { name, checkout } of checkouts) {
      const environment: Record<string, string> = {};
      if (engine === "PostgreSQL") {
        const database = await createTestDatabase();
        databases.push(database);
        Object.assign(environment, {
          ...{ DATABASE_URL: database.url, SECRETS_KEY: password.repeat(2), EGRESS_ALLOW: "loopback" },
        });
      }
      const program = resolve(checkout, "build/process/server.js");
      const portal = await startPortal(program, join(work, name), password, { checkout, environment });
      const contestant = { name, portal, milliseconds: [], processorMilliseconds: [] };
      const client = await signIn(portal.address, password);
      const signedInAt = performance.now();
      contestants.push({ ...contestant, client, signedInAt, apiId: await client.prepare(baseUrl) });
    }
    for (let round = 0; round < warmUps + rounds; round += 1) {
      // The order alternates, too.
      for (const contestant of round % 2 === 0 ? contestants : [...contestants].reverse()) {
        if (round === warmUps) Object.assign(contestant, { milliseconds: [], processorMilliseconds: [] });
        await runOnce(contestant);
      }
    }
    return report(engine, contestants as [Contestant, Contestant]);
  } finally {
    for (const { portal } of contestants) await portal.stop();
    for (const { drop } of databases) await drop();
    await rm(work, { recursive: true, force: true });
  }
}

const [commit = defaultCommit, folder] = process.argv.slice(2);
if (!existsSync("build/process/server.js")) throw new Error("Build first: npm run build");
const checkout = folder ? resolve(folder) : join(await mkdtemp(join(tmpdir(), "bench-version-")), "checkout");
try {
  buildVersion(commit, checkout);
  const target = await startTarget(targetProgram);
  try {
    for (const engine of Object.keys(limits) as Engine[]) {
      const checkouts = [
        { name: commit, checkout },
        { name: "this version", checkout: "." },
      ];
      if (!(await measure(engine, checkouts, target.baseUrl))) process.exitCode = 1;
    }
  } finally {
    target.stop();
  }
} finally {
  if (!folder) removeVersion(checkout);
}
