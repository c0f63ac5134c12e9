/**
 * Reads the reports of a run with 500 and of one with 5,000 members, each with a body of 20 KB, in every format, from the
 * service in a separate process, and prints their size, the time, the peak memory and how much of it
 * was in use, compared with the same report built as one string.
 * Run: npm run bench:reports
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { requireValue } from "../services/kit/client/client.ts";
import { openPostgresDatabase } from "../services/kit/database/database.ts";
import { createTestDatabase } from "../services/kit/testing/databases.ts";
import { readReportedExecutions } from "../services/test-executioner/store/reported-executions.ts";
import { type ExecutionTables, schemaName, table } from "../services/test-executioner/store/tables.ts";
import { respondJson, startTarget } from "../services/test-executioner/testing/target.ts";
import { createExecutionWorld } from "../services/test-executioner/testing/world.ts";

const sizes = [500, 5_000];
const formats = ["application/json", "application/junit+xml", "application/har+json"];
const oneString = "JSON as one string";
const body = { books: Array.from({ length: 200 }, (_, id) => ({ id, title: "x".repeat(80) })) };
/** A streamed report of the large run uses no more memory than one of the small run. */
const maxMegabytesMore = 8;
const megabyte = 1_048_576;

interface Reading {
  bytes: number;
  milliseconds: number;
  peakMegabytes: number;
  liveMegabytes: number;
}

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Runs with copies of one execution as the service stored it. */
async function makeRuns(url: string): Promise<{ organizationId: string; runIds: string[] }> {
  const target = await startTarget(respondJson(body));
  const world = await createExecutionWorld(await openPostgresDatabase(url), { withAnalyzer: true });
  const { kysely } = world.database;
  const tenant = await world.createTenant(target.baseUrl);
  const { id, runId } = await tenant.run((await tenant.createTest()).id);
  const runIds: string[] = [];
  for (const members of sizes) {
    const [copy, ids] = [uuidv7(), Array.from({ length: members }, () => uuidv7())];
    const counts = JSON.stringify({ id: copy, tests: members, executions: members, passed: members });
    await sql`insert into ${table("runs")} select (jsonb_populate_record(run, ${counts}::jsonb)).*
      from ${table("runs")} run where id = ${runId}::uuid`.execute(kysely);
    await sql`insert into ${table("executions")}
      select (jsonb_populate_record(execution, jsonb_build_object('id', copy.id, 'position', copy.position, 'run_id', ${copy}::uuid))).*
      from ${table("executions")} execution, unnest(${ids}::uuid[]) with ordinality as copy(id, position)
      where execution.id = ${id}::uuid`.execute(kysely);
    await sql`insert into ${table("execution_details")}
      select (jsonb_populate_record(details, jsonb_build_object('execution_id', copy.id))).*
      from ${table("execution_details")} details, unnest(${ids}::uuid[]) as copy(id)
      where details.execution_id = ${id}::uuid`.execute(kysely);
    runIds.push(copy);
  }
  await world.stop();
  await world.database.close();
  await target.close();
  return { organizationId: tenant.organizationId, runIds };
}

/** In a process that has read nothing before. */
async function read(url: string, organizationId: string, runId: string, format: string): Promise<void> {
  const world = await createExecutionWorld(await openPostgresDatabase(url), { work: false });
  const client = world.connect({ token: world.identities.tokenFor({ organizationId }).token });
  requireValue(await client.getRun({ params: { runId }, query: { limit: 1 } }), "the run");
  const pieces = async function* (): AsyncGenerator<number> {
    if (format === oneString) {
      const db = world.database.inSchema<ExecutionTables>(schemaName);
      const items: object[] = [];
      const run = { regional_test_ids: null, series_size: null };
      for await (const execution of readReportedExecutions(db, { organizationId, runId }, run)) items.push(execution);
      const held = [JSON.stringify({ items })];
      yield Buffer.byteLength(held[0]!);
      // Retained until it is sent.
      held.length = 0;
      return;
    }
    const result = await client.reportRun({ params: { runId }, headers: { accept: format } });
    if (!result.ok) throw new Error(result.problem.detail);
    for await (const chunk of result.response.body!) yield chunk.length;
  };
  const live = () => {
    globalThis.gc!();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  live();
  const [rss, start] = [process.memoryUsage().rss, performance.now()];
  let [bytes, peak] = [0, rss];
  for await (const length of pieces()) {
    bytes += length;
    peak = Math.max(peak, process.memoryUsage().rss);
  }
  const milliseconds = performance.now() - start;
  const before = live();
  let [maxLive, count] = [before, 0];
  for await (const _ of pieces()) {
    if (count % 100 === 0) maxLive = Math.max(maxLive, live());
    count += 1;
  }
  const reading: Reading = {
    bytes,
    milliseconds,
    peakMegabytes: (peak - rss) / megabyte,
    liveMegabytes: (maxLive - before) / megabyte,
  };
  print(JSON.stringify(reading));
  await world.stop();
  await world.database.close();
}

async function startReading(...part: string[]): Promise<Reading> {
  const program = ["--expose-gc", "--import", "tsx", fileURLToPath(import.meta.url), ...part];
  const child = spawn(process.execPath, program, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`Reading a report ended with ${code}.`);
  return JSON.parse(output.trim().split("\n").at(-1)!) as Reading;
}

async function compare(): Promise<boolean> {
  const database = await createTestDatabase();
  try {
    const { organizationId, runIds } = await makeRuns(database.url);
    print(
      `${"".padEnd(24)}${["members", "size", "time", "memory", "in use"].map((name) => name.padStart(16)).join("")}`,
    );
    let isStreamed = true;
    for (const format of [...formats, oneString]) {
      const readings: Reading[] = [];
      for (const [index, runId] of runIds.entries()) {
        const reading = await startReading(database.url, organizationId, runId, format);
        readings.push(reading);
        const figures = [
          sizes[index]!.toLocaleString("en"),
          `${(reading.bytes / megabyte).toFixed(1)} MB`,
          `${(reading.milliseconds / 1_000).toFixed(1)} s`,
          `${reading.peakMegabytes.toFixed(0)} MB`,
          `${reading.liveMegabytes.toFixed(1)} MB`,
        ];
        print(`${format.padEnd(24)}${figures.map((figure) => figure.padStart(16)).join("")}`);
      }
      const more = readings[1]!.liveMegabytes - readings[0]!.liveMegabytes;
      if (format !== oneString && more > maxMegabytesMore) isStreamed = false;
    }
    print(isStreamed ? "A run ten times as large has no more in use." : "A larger run has more in use.");
    return isStreamed;
  } finally {
    await database.drop();
  }
}

const [url, organizationId, runId, format] = process.argv.slice(2);
if (format) await read(url!, organizationId!, runId!, format);
else process.exitCode = (await compare()) ? 0 : 1;
