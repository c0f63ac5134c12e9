/**
 * 500 GET tests with three assertions each against an API on loopback: "run all" of a running portal on the embedded
 * database, results stored, beside newman, Bruno CLI and Step CI as whole processes running the same suite, and beside
 * a bare undici loop of the same concurrency. The peers are installed into a temporary folder, or into the one named.
 *
 *     npm run build && node --import tsx bench/engine.ts [folder for the peers]
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { signIn } from "./engine/portal-client.ts";
import { measureProcess, startPortal, startTarget } from "./engine/processes.ts";
import {
  answer,
  requestCount,
  requestNumbers,
  writeBrunoCollection,
  writeNewmanCollection,
  writeStepWorkflow,
} from "./engine/suite.ts";

const program = fileURLToPath(import.meta.url);
const portalProgram =
  process.env.PORTAL_PROGRAM ?? fileURLToPath(new URL("../build/process/server.js", import.meta.url));
const password = "a password for the benchmark";
/** What one organization may have under way at once, in the portal and so in the bare loop. */
const concurrency = 48;
const rounds = 5;
const peerRounds = 3;

const peers = [
  { name: "newman", packages: ["newman"], wanted: 10 },
  { name: "Bruno CLI", packages: ["@usebruno/cli"], wanted: 6 },
  { name: "Step CI", packages: ["stepci"], wanted: 2 },
] as const;

function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

const show = (milliseconds: number) => `${Math.round(milliseconds)} ms`.padStart(9);

/** The API under test. */
function serveTarget(): void {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  // A connection closed by the target just as a runner reuses it would fail that runner for nothing.
  server.keepAliveTimeout = 120_000;
  server.listen(0, "127.0.0.1", () => print(String((server.address() as AddressInfo).port)));
}

/** Nothing but the requests: the least any runner could take. */
async function measureBareLoop(baseUrl: string): Promise<void> {
  const dispatcher = new Agent({ connections: concurrency, pipelining: 1 });
  const times: number[] = [];
  for (let round = 0; round < rounds + 2; round += 1) {
    const start = performance.now();
    let next = 0;
    const work = async () => {
      while (next < requestCount) {
        const number = requestNumbers[next]!;
        next += 1;
        const { body } = await request(`${baseUrl}/pets?number=${number}`, { dispatcher });
        await body.text();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    times.push(performance.now() - start);
  }
  await dispatcher.close();
  print(String(median(times.slice(2))));
}

function installPeers(folder: string): void {
  const packages = peers
    .flatMap((peer) => peer.packages)
    .filter((name) => !existsSync(join(folder, "node_modules", name)));
  if (packages.length === 0) return;
  print(`installing ${packages.join(", ")} into ${folder}`);
  const parameters = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", ...packages];
  const { status } = spawnSync("npm", parameters, { stdio: "inherit" });
  if (status !== 0) throw new Error("The peers could not be installed.");
}

async function measurePeers(folder: string, work: string, baseUrl: string): Promise<Map<string, number>> {
  const command = (name: string) => join(folder, "node_modules", ".bin", name);
  const collection = await writeNewmanCollection(work, baseUrl);
  const bruno = await writeBrunoCollection(work, baseUrl);
  const workflow = await writeStepWorkflow(work, baseUrl);
  const runs: [string, () => Promise<{ milliseconds: number }>][] = [
    ["newman", () => measureProcess(command("newman"), ["run", collection, "--silent"], work)],
    ["Bruno CLI", () => measureProcess(command("bru"), ["run"], bruno)],
    ["Step CI", () => measureProcess(command("stepci"), ["run", workflow], work)],
  ];
  const times = new Map<string, number[]>(runs.map(([name]) => [name, []]));
  for (let round = 0; round < peerRounds; round += 1) {
    for (const [name, run] of runs) times.get(name)!.push((await run()).milliseconds);
  }
  return new Map([...times].map(([name, measured]) => [name, median(measured)]));
}

async function measure(peerFolder: string | undefined): Promise<void> {
  if (!existsSync(portalProgram)) throw new Error("The portal is not built yet: run npm run build first.");
  const work = await mkdtemp(join(tmpdir(), "bench-engine-"));
  const folder = resolve(peerFolder ?? join(work, "peers"));
  await mkdir(folder, { recursive: true });
  installPeers(folder);
  const target = await startTarget(program);
  try {
    const dataDirectory = join(work, "data");
    const portal = await startPortal(portalProgram, dataDirectory, password);
    const client = await signIn(portal.address, password);
    const apiId = await client.prepare(target.baseUrl);
    const ours: number[] = [];
    for (let round = 0; round < rounds + 2; round += 1) {
      const start = performance.now();
      await client.runAll(apiId);
      ours.push(performance.now() - start);
    }
    await portal.stop();

    const coldStart = performance.now();
    const again = await startPortal(portalProgram, dataDirectory, password);
    const ready = performance.now() - coldStart;
    await (await signIn(again.address, password)).runAll(apiId);
    const ran = performance.now() - coldStart;
    await again.stop();
    const cold = performance.now() - coldStart;

    const bareRun = await measureProcess(
      process.execPath,
      ["--import", "tsx", program, "bare", target.baseUrl],
      process.cwd(),
    );
    const bare = Number(bareRun.output);
    const others = await measurePeers(folder, work, target.baseUrl);

    const warm = median(ours.slice(2));
    print(`${requestCount} GET tests, 3 assertions each, results stored`);
    print(
      `portal, run all     ${show(warm)}  (median of ${rounds}; the first after its start ${show(ours[0]!).trim()})`,
    );
    print(
      `portal, cold        ${show(cold)}  start to stop: ready after ${show(ready).trim()}, run by ${show(ran).trim()}`,
    );
    print(
      `bare undici loop    ${show(bare)}  at ${concurrency} at once: ${((bare / warm) * 100).toFixed(0)} % of the portal's time`,
    );
    for (const { name, wanted } of peers) {
      const time = others.get(name)!;
      const ratio = time / warm;
      const isEnough = ratio >= wanted;
      if (!isEnough) process.exitCode = 1;
      print(
        `${name.padEnd(20)}${show(time)}  ${ratio.toFixed(1)} times the portal's (at least ${wanted}${isEnough ? "" : ", MISSED"}), ${(time / cold).toFixed(1)} times the cold one's`,
      );
    }
  } finally {
    target.stop();
    await rm(work, { recursive: true, force: true });
  }
}

const [part, parameter] = process.argv.slice(2);
if (part === "target") serveTarget();
else if (part === "bare") await measureBareLoop(parameter!);
else await measure(part);
