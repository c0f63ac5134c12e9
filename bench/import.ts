/**
 * Imports a generated document of 13 MB and 1,200 operations into the running service, and prints its time beside bare
 * parsing and validation by the same validator, its peak memory, and how late the event loop ran meanwhile.
 * Run: node --import tsx bench/import.ts [operations] [megabytes]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { pino } from "pino";
import { standardSchema } from "../services/api-registry/jobs/standard-schemas.ts";
import { createApiRegistry } from "../services/api-registry/service.ts";
import { systemClock } from "../services/kit/clock/clock.ts";
import { openEmbeddedDatabase } from "../services/kit/database/database.ts";
import { createEgress } from "../services/kit/egress/egress.ts";
import { createTestIdentities } from "../services/kit/testing/identities.ts";
import { generateDocument } from "./generated-document.ts";

const highestDelayMilliseconds = 100;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Another process, so that neither its work nor its memory counts as ours. */
async function runPart(...part: string[]): Promise<Record<string, number>> {
  const child = spawn(process.execPath, ["--import", "tsx", fileURLToPath(import.meta.url), ...part], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`bench/import.ts ${part[0]} ended with ${code}`);
  return JSON.parse(output) as Record<string, number>;
}

/** What no import can do without: parsing, and validation by the standard's schema (compiled beforehand). */
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
  const answer = (await response.json()) as { operationCount: number };
  if (response.status !== 201) throw new Error(JSON.stringify(answer));
  print(JSON.stringify({ milliseconds: performance.now() - start, operations: answer.operationCount }));
}

async function measure(operations: number, megabytes: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-import-"));
  const file = join(folder, "generated.json");
  await writeFile(file, generateDocument(operations, megabytes));
  const database = await openEmbeddedDatabase(join(folder, "data"));
  const identities = createTestIdentities();
  const service = await createApiRegistry({
    database,
    authenticate: identities.authenticate,
    serviceToken: identities.serviceToken,
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
  await runPart("upload", small, address, token);
  const before = process.memoryUsage().rss;

  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const imported = await runPart("upload", file, address, token);
  delay.disable();
  const bare = await runPart("bare", file);

  const p99 = delay.percentile(99) / 1e6;
  const bareMilliseconds = bare.parse! + bare.validate!;
  const megabytesOf = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  print(`document            ${megabytes} MB, ${imported.operations} operations`);
  print(
    `import, stored      ${Math.round(imported.milliseconds!)} ms (upload, parse, check, index, samples, one transaction)`,
  );
  print(
    `parse + validation  ${Math.round(bareMilliseconds)} ms (${Math.round(bare.parse!)} + ${Math.round(bare.validate!)})`,
  );
  print(`ratio               ${(imported.milliseconds! / bareMilliseconds).toFixed(1)}`);
  print(
    `peak memory         ${megabytesOf(process.resourceUsage().maxRSS * 1024)}, ${megabytesOf(before)} before (bare: ${megabytesOf(bare.peakBytes!)})`,
  );
  print(
    `event loop delay    p99 ${p99.toFixed(1)} ms, max ${(delay.max / 1e6).toFixed(1)} ms (at most ${highestDelayMilliseconds} at p99)`,
  );

  server.close();
  await service.stop();
  await database.close();
  await rm(folder, { recursive: true, force: true });
  if (p99 > highestDelayMilliseconds) process.exitCode = 1;
}

const [part, ...rest] = process.argv.slice(2);
if (part === "bare") await parseAndValidate(rest[0]!);
else if (part === "upload") await upload(rest[0]!, rest[1]!, rest[2]!);
else await measure(Number(part ?? 1_200), Number(rest[0] ?? 13));
