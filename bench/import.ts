/**
 * Imports generated documents of 20 MB into the running service, on the embedded database and on PostgreSQL, and prints
 * the time compared with bare parsing and validation by the same validator, the peak memory, the delay of the event loop,
 * and how long other callers waited for responses meanwhile and while the API was deleted again.
 * Then documents of many small pieces, during which others may wait half as long.
 * Run: npm run build && npm run bench:import [-- operations megabytes | awkward]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { pino } from "pino";
import { createEgress } from "#libraries/egress/egress.ts";
import { standardSchema } from "#libraries/openapi/standard-schemas.ts";
import { createApiRegistry } from "../services/api-registry/service.ts";
import { connectToPortalWithPlan, noTests } from "../services/api-registry/testing/registry.ts";
import { systemClock } from "../services/kit/clock/clock.ts";
import { type Database, openEmbeddedDatabase } from "../services/kit/database/database.ts";
import { bothEngines } from "../services/kit/testing/databases.ts";
import { createTestIdentities } from "../services/kit/testing/identities.ts";
import { noLimits } from "../services/kit/testing/plans.ts";
import { createVault } from "../services/kit/vault/vault.ts";
import { awkwardDocuments } from "./awkward-documents.ts";
import { generateDocument } from "./generated-document.ts";

const highestDelayMilliseconds = 100;
const maxResponseMilliseconds = 200;
const highestBesideAwkwardMilliseconds = 100;
const idleMilliseconds = 5_000;
const pauseMilliseconds = 20;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A separate process, so that neither its work nor its memory counts as the service's. */
async function runPart(...part: string[]): Promise<Record<string, number>> {
  return await startPart(...part).result;
}

function startPart(...part: string[]) {
  const child = spawn(process.execPath, ["--import", "tsx", fileURLToPath(import.meta.url), ...part], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const begun = once(child.stdout, "data");
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  const result = once(child, "exit").then(([code]) => {
    if (code !== 0) throw new Error(`bench/import.ts ${part[0]} ended with ${code}`);
    return JSON.parse(output.trim().split("\n").at(-1)!) as Record<string, number>;
  });
  return { begun, result, end: () => child.kill("SIGTERM") };
}

/** The minimum of any import: parsing, and validation by the standard's schema (compiled beforehand). */
async function parseAndValidate(file: string): Promise<void> {
  const text = await readFile(file, "utf8");
  const validate = standardSchema("3.1");
  const start = performance.now();
  const value: unknown = JSON.parse(text);
  const parsed = performance.now();
  const valid = validate(value);
  const end = performance.now();
  if (!valid) throw new Error("The generated document is not valid.");
  print(
    JSON.stringify({ parse: parsed - start, validate: end - parsed, peakBytes: process.resourceUsage().maxRSS * 1024 }),
  );
}

async function upload(file: string, address: string, token: string): Promise<void> {
  const body = JSON.stringify({ source: { document: await readFile(file, "utf8"), fileName: "generated.json" } });
  const start = performance.now();
  const response = await fetch(`${address}/api/v1/apis`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
  });
  const result = (await response.json()) as { id: string; operationCount: number };
  if (response.status !== 201) throw new Error(JSON.stringify(result));
  const milliseconds = performance.now() - start;
  print(JSON.stringify({ milliseconds, operations: result.operationCount, id: result.id }));
}

/** Requests the data of pages in sequence until it is stopped: the list of APIs, one of them, its operations. */
async function browse(address: string, token: string, apiId: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const results: number[] = [];
  const pages: number[] = [];
  let ended = false;
  process.once("SIGTERM", () => {
    ended = true;
  });
  print("browsing");
  while (!ended) {
    const pageStart = performance.now();
    for (const path of ["", `/${apiId}`, `/${apiId}/operations`]) {
      const start = performance.now();
      const response = await fetch(`${address}/api/v1/apis${path}`, { headers });
      await response.text();
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
      results.push(performance.now() - start);
    }
    pages.push(performance.now() - pageStart);
    await pause(pauseMilliseconds);
  }
  const at = (list: number[], share: number) => list.sort((a, b) => a - b)[Math.floor((list.length - 1) * share)];
  print(
    JSON.stringify({
      pages: pages.length,
      p50: at(results, 0.5),
      p99: at(results, 0.99),
      pageP50: at(pages, 0.5),
      pageP99: at(pages, 0.99),
    }),
  );
}

interface Measured {
  name: string;
  document(): string;
  /** An invalid document can't be compared with bare validation. */
  isValid: boolean;
  highestMilliseconds: number;
}

function large(operations: number, megabytes: number): Measured {
  return {
    name: `${megabytes} MB`,
    document: () => generateDocument(operations, megabytes),
    isValid: true,
    highestMilliseconds: maxResponseMilliseconds,
  };
}

const awkward = Object.entries(awkwardDocuments).map(
  ([name, document]): Measured => ({
    name,
    document,
    isValid: false,
    highestMilliseconds: highestBesideAwkwardMilliseconds,
  }),
);

/** @returns whether every limit was met */
async function measure(engine: string, database: Database, measured: Measured): Promise<boolean> {
  const { name, highestMilliseconds } = measured;
  const folder = await mkdtemp(join(tmpdir(), "bench-import-"));
  const file = join(folder, "generated.json");
  await writeFile(file, measured.document());
  const identities = createTestIdentities();
  const service = await createApiRegistry({
    database,
    authenticate: identities.authenticate,
    serviceToken: identities.serviceToken,
    vault: createVault("a key for the measurement"),
    testRegistry: noTests,
    portalService: connectToPortalWithPlan(() => noLimits),
    consumers: [],
    work: false,
    log: pino({ level: "warn" }),
    clock: systemClock,
    version: "bench",
    egress: createEgress({ policy: { allow: [], allowLoopback: false, ownTargets: [] } }),
  });
  const server = serve({ fetch: service.app.fetch, port: 0, hostname: "127.0.0.1" });
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { token } = identities.tokenFor();
  const small = join(folder, "small.json");
  await writeFile(small, generateDocument(20, 0.1));
  const { id } = await runPart("upload", small, address, token);
  const before = process.memoryUsage().rss;

  const browsing = startPart("browse", address, token, String(id));
  await browsing.begun;
  await pause(idleMilliseconds);
  browsing.end();
  const idle = await browsing.result;

  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const browsingBeside = startPart("browse", address, token, String(id));
  await browsingBeside.begun;
  const imported = await runPart("upload", file, address, token);
  browsingBeside.end();
  const beside = await browsingBeside.result;
  delay.disable();
  const deleting = startPart("browse", address, token, String(id));
  await deleting.begun;
  await fetch(`${address}/api/v1/apis/${imported.id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${token}` },
  });
  await pause(idleMilliseconds);
  deleting.end();
  const besideDeletion = await deleting.result;
  const bare = measured.isValid ? await runPart("bare", file) : undefined;

  const p99 = delay.percentile(99) / 1e6;
  const getMegabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  const getAnswers = (part: Record<string, number>) =>
    `p99 of an answer ${Math.round(part.p99!)} ms, of a page of three ${Math.round(part.pageP99!)} ms (median ${Math.round(part.pageP50!)} ms, ${part.pages} pages)`;
  print(`${engine}: ${name}, ${imported.operations} operations`);
  print(`  import, stored      ${Math.round(imported.milliseconds!)} ms (upload, parse, check, index, samples)`);
  if (bare) {
    const milliseconds = bare.parse! + bare.validate!;
    print(
      `  parse + validation  ${Math.round(milliseconds)} ms (${Math.round(bare.parse!)} + ${Math.round(bare.validate!)})`,
    );
    print(`  ratio               ${(imported.milliseconds! / milliseconds).toFixed(1)}`);
    print(
      `  peak memory         ${getMegabytes(process.resourceUsage().maxRSS * 1024)}, ${getMegabytes(before)} before (bare: ${getMegabytes(bare.peakBytes!)})`,
    );
  }
  print(
    `  event loop delay    p99 ${p99.toFixed(1)} ms, max ${(delay.max / 1e6).toFixed(1)} ms (at most ${highestDelayMilliseconds} at p99)`,
  );
  print(`  others, idle        ${getAnswers(idle)}`);
  print(`  others, importing   ${getAnswers(beside)} (at most ${highestMilliseconds} at p99)`);
  print(`  others, deleting    ${getAnswers(besideDeletion)} (at most ${highestMilliseconds} at p99)`);

  server.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
  const highest = Math.max(beside.pageP99!, besideDeletion.pageP99!);
  return p99 <= highestDelayMilliseconds && highest <= highestMilliseconds;
}

const [part, ...rest] = process.argv.slice(2);
if (part === "bare") await parseAndValidate(rest[0]!);
else if (part === "upload") await upload(rest[0]!, rest[1]!, rest[2]!);
else if (part === "browse") await browse(rest[0]!, rest[1]!, rest[2]!);
else {
  const every = part === undefined ? [large(1_500, 20), large(11_000, 20), ...awkward] : undefined;
  for (const measured of every ?? (part === "awkward" ? awkward : [large(Number(part), Number(rest[0]))])) {
    for (const engine of bothEngines()) {
      const folder = await mkdtemp(join(tmpdir(), "bench-import-database-"));
      const database = engine.name === "PGlite" ? await openEmbeddedDatabase(folder) : await engine.open();
      if (!(await measure(engine.name, database, measured))) process.exitCode = 1;
      await database.close();
      await rm(folder, { recursive: true, force: true });
    }
  }
}
