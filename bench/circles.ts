/**
 * A circle of 500 tests on PostgreSQL, with one worker, against an API that takes 5 ms to respond. In parallel with the
 * maximum concurrency, compared with "run all" of the same tests; in order, each with the captures of the one before,
 * compared with a bare loop of requests that does the same.
 *
 *     npm run bench:circles
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { request } from "undici";
import { requireValue } from "../services/kit/client/client.ts";
import { openPostgresDatabase } from "../services/kit/database/database.ts";
import { createTestDatabase } from "../services/kit/testing/databases.ts";
import { createExecutionWorld } from "../services/test-executioner/testing/world.ts";
import { startTarget } from "./engine/processes.ts";

const testCount = 500;
const latencyMilliseconds = 5;
const rounds = 5;

function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

/** In a separate process, so that its processor time does not count as the worker's. */
function serveTarget(): void {
  let results = 0;
  const server = createServer((_, response) => {
    setTimeout(() => {
      results += 1;
      response.writeHead(200, { "content-type": "application/json" }).end(`{"token":"t${results}"}`);
    }, latencyMilliseconds);
  });
  server.keepAliveTimeout = 120_000;
  server.listen(0, "127.0.0.1", () => print(String((server.address() as AddressInfo).port)));
}

async function loop(baseUrl: string): Promise<void> {
  let token = "none";
  for (let sent = 0; sent < testCount; sent += 1) {
    const { body } = await request(`${baseUrl}/?token=${token}`);
    ({ token } = (await body.json()) as { token: string });
  }
}

async function measure(): Promise<void> {
  const target = await startTarget(fileURLToPath(import.meta.url));
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url);
  const world = await createExecutionWorld(database, { withAnalyzer: true });
  const tenant = await world.createTenant(target.baseUrl);
  const members = [];
  for (let index = 0; index < testCount; index += 1) {
    const { id } = await tenant.createTest({
      request: { query: [{ name: "token", value: "{{token}}", enabled: true }] } as never,
      captures: [{ name: "token", source: "jsonPath", property: "$.token" }],
    });
    members.push({ testId: id });
  }
  const variables = [{ name: "token", value: "none" }];
  const parallel = await tenant.createCircle({ members, variables, order: "parallel", concurrency: 100 });
  const inOrder = await tenant.createCircle({ members, variables, order: "sequential" });

  type Source = Parameters<typeof tenant.client.startRun>[0]["body"]["source"];
  async function run(source: Source): Promise<void> {
    const body = { source, variables: { token: "none" } };
    const { verdict } = requireValue(await tenant.client.startRun({ query: { wait: 60 }, body }), "running");
    if (verdict !== "passed") throw new Error(`A run ended ${verdict}.`);
  }
  const contestants = {
    loop: () => loop(target.baseUrl),
    inOrder: () => run({ testCircleId: inOrder.id }),
    all: () => run({ apiId: tenant.apiId, include: "all" }),
    parallel: () => run({ testCircleId: parallel.id }),
  };
  const times: Record<string, number[]> = { loop: [], inOrder: [], all: [], parallel: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, contestant] of Object.entries(contestants)) {
      const start = performance.now();
      await contestant();
      // The first round is a warm-up.
      if (round > 0) times[name]!.push(performance.now() - start);
    }
  }
  target.stop();
  await world.stop();
  await database.close();
  await drop();

  const of = (name: keyof typeof contestants) => median(times[name]!);
  const show = (milliseconds: number) => `${Math.round(milliseconds)} ms`.padStart(9);
  print(`${testCount} tests of an API that takes ${latencyMilliseconds} ms, one worker, median of ${rounds}:`);
  print(`  bare loop of requests   ${show(of("loop"))}`);
  print(`  circle in order         ${show(of("inOrder"))}`);
  print(`  run all                 ${show(of("all"))}`);
  print(`  circle in parallel      ${show(of("parallel"))}`);
  const speed = of("loop") / of("inOrder");
  const toAll = of("parallel") / of("all");
  print(`  speed of the circle in order to the loop's ${speed.toFixed(2)} (wanted: at least 0.5)`);
  print(`  circle in parallel to run all ${toAll.toFixed(2)} (wanted: at most 1.1)`);
  process.exitCode = speed >= 0.5 && toAll <= 1.1 ? 0 : 1;
}

if (process.argv[2] === "target") serveTarget();
else await measure();
