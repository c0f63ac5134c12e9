/**
 * Starts the built portal, as `npm start` does, on an empty data folder and again on the used one, and prints the time
 * until it is ready, the processor time until then, and its memory, compared with a bare PGlite that creates such a folder
 * and opens it again.
 *
 *     npm run build && npm run bench:start
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readStartFlags } from "./measured-process.ts";

const ticksPerSecond = 100;
const settleMilliseconds = 3_000;
const limits = {
  first: { peakMegabytes: 350, readyMilliseconds: 5_000 },
  later: { steadyMegabytes: 300 },
};

/** Reports when it has opened the folder, as the portal does, and runs until it is stopped. */
const bareProgram = `
  import { PGlite } from "@electric-sql/pglite";
  const database = await PGlite.create(process.env.DATABASE_FOLDER);
  await database.query("select 1");
  console.log("ready");
  process.once("SIGTERM", () => database.close().then(() => process.exit()));
  setInterval(() => {}, 1000);
`;

interface Start {
  readyMilliseconds: number;
  processorMilliseconds: number;
  peakMegabytes: number;
  steadyMegabytes: number;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function getMemory({ pid }: ChildProcess, field: "VmHWM" | "VmRSS"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

function getProcessorMilliseconds({ pid }: ChildProcess): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ").slice(13, 15).map(Number);
  return ((user! + system!) / ticksPerSecond) * 1_000;
}

async function start(programArguments: string[], environment: Record<string, string>): Promise<Start> {
  const began = performance.now();
  const child = spawn(process.execPath, programArguments, {
    env: { PATH: process.env.PATH, NODE_ENV: "production", LOG_LEVEL: "warn", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(() => {
    throw new Error(`${programArguments.at(-1)} ended before it was ready.`);
  });
  const ready = new Promise<void>((resolve) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (/ready/.test(output)) resolve();
    });
  });
  await Promise.race([ready, ended]);
  const readyMilliseconds = performance.now() - began;
  const processorMilliseconds = getProcessorMilliseconds(child);
  await pause(settleMilliseconds);
  const measured = { peakMegabytes: getMemory(child, "VmHWM"), steadyMegabytes: getMemory(child, "VmRSS") };
  child.kill("SIGTERM");
  await ended.catch(() => {});
  return { readyMilliseconds, processorMilliseconds, ...measured };
}

function row(name: string, { readyMilliseconds, processorMilliseconds, peakMegabytes, steadyMegabytes }: Start): void {
  const cells = [readyMilliseconds, processorMilliseconds, peakMegabytes, steadyMegabytes];
  print(`${name.padEnd(28)}${cells.map((cell) => String(Math.round(cell)).padStart(12)).join("")}`);
}

function ratio(name: string, ours: Start, theirs: Start): void {
  const keys = ["readyMilliseconds", "processorMilliseconds", "peakMegabytes", "steadyMegabytes"] as const;
  print(`${name.padEnd(28)}${keys.map((key) => (ours[key] / theirs[key]).toFixed(2).padStart(12)).join("")}`);
}

if (!existsSync("build/process/server.js")) throw new Error("Build first: npm run build");
const location = mkdtempSync(join(tmpdir(), "bench-start-"));
try {
  const portal = () =>
    start([...readStartFlags(), "build/process/server.js"], { PORT: "0", DATA_DIRECTORY: join(location, "portal") });
  const bare = () => start(["--input-type=module", "--eval", bareProgram], { DATABASE_FOLDER: join(location, "bare") });
  const [firstBare, first, laterBare, later] = [await bare(), await portal(), await bare(), await portal()];
  print(`${"".padEnd(28)}    ready ms      CPU ms     peak MB   steady MB`);
  row("bare PGlite, first start", firstBare);
  row("portal, first start", first);
  ratio("ratio", first, firstBare);
  row("bare PGlite, later start", laterBare);
  row("portal, later start", later);
  ratio("ratio", later, laterBare);
  const { peakMegabytes, readyMilliseconds } = limits.first;
  const stored = [
    [`first start at most ${peakMegabytes} MB at its peak`, first.peakMegabytes <= peakMegabytes],
    [`first start ready in ${readyMilliseconds} ms`, first.readyMilliseconds <= readyMilliseconds],
    [`later starts at most ${limits.later.steadyMegabytes} MB`, later.steadyMegabytes <= limits.later.steadyMegabytes],
  ] as const;
  for (const [promise, isStored] of stored) print(`${promise}: ${isStored ? "kept" : "NOT kept"}`);
  if (stored.some(([, isStored]) => !isStored)) process.exitCode = 1;
} finally {
  rmSync(location, { recursive: true, force: true });
}
