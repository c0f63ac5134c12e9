/**
 * 500 GET tests with three assertions each against an API on loopback: "run all" of a running portal on the embedded
 * database, results stored, compared with newman, Bruno CLI and Step CI as whole processes running the same suite, and with
 * a bare undici loop of the same concurrency. The peers are installed into a temporary folder, or into the given one.
 *
 *     npm run build && npm run bench:engine [-- folder for the peers]
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { installPeers, type PeerName, peerNames, preparePeers } from "./engine/peers.ts";
import { signIn } from "./engine/portal-client.ts";
import { median, print, show } from "./engine/printed.ts";
import { measureProcess, startPortal, startTarget } from "./engine/processes.ts";
import { requestCount, requestNumbers } from "./engine/suite.ts";
import { serveTarget } from "./engine/target.ts";

const program = fileURLToPath(import.meta.url);
const portalProgram = fileURLToPath(new URL("../build/process/server.js", import.meta.url));
const password = "a password for the benchmark";
/** Concurrency limit of one organization in the portal, and so of the bare loop. */
const concurrency = 48;
/** All runners take part in every round, so that other load on the machine affects all of them. */
const rounds = 3;
/** Of "run all" in each round; finished before a peer starts. */
const runsARound = 3;

/** At least so many times as fast. */
const wanted: Record<PeerName, number> = { newman: 10, "Bruno CLI": 6, "Step CI": 2 };

/** The requests only: the lower bound for any runner. */
async function measureBareLoop(baseUrl: string): Promise<void> {
  const dispatcher = new Agent({ connections: concurrency, pipelining: 1 });
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
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

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Start to stop, on a folder that already has the tests. */
async function measureCold(dataDirectory: string, apiId: string) {
  const start = performance.now();
  const portal = await startPortal(portalProgram, dataDirectory, password);
  const ready = performance.now() - start;
  const ran = await signIn(portal.address, password)
    .then((client) => client.runAll(apiId))
    .then(() => performance.now() - start)
    .finally(() => portal.stop());
  return { ready, ran, stopped: performance.now() - start };
}

async function measure(peerFolder: string | undefined): Promise<void> {
  if (!existsSync(portalProgram)) throw new Error("The portal is not built yet: run npm run build first.");
  const work = await mkdtemp(join(tmpdir(), "bench-engine-"));
  const folder = resolve(peerFolder ?? join(work, "peers"));
  await mkdir(folder, { recursive: true });
  installPeers(folder);
  const target = await startTarget(program);
  const dataDirectory = join(work, "data");
  const portal = await startPortal(portalProgram, dataDirectory, password).catch((error) => {
    target.stop();
    throw error;
  });
  try {
    const client = await signIn(portal.address, password);
    const apiId = await client.prepare(target.baseUrl);
    const others = await preparePeers(folder, work, target.baseUrl);
    const first = await timed(() => client.runAll(apiId));
    const times = new Map<string, number[]>(["portal", "bare", ...others.keys()].map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (let run = 0; run < runsARound; run += 1) times.get("portal")!.push(await timed(() => client.runAll(apiId)));
      const bare = await measureProcess(
        process.execPath,
        ["--import", "tsx", program, "bare", target.baseUrl],
        process.cwd(),
      );
      times.get("bare")!.push(Number(bare.output));
      for (const [name, run] of others) {
        // A peer that fails (e.g. a request that it could not send) is reported and left out; the others continue.
        const took = await run().catch((error: Error) => {
          print(`${name} failed in round ${round + 1}: ${error.message}`);
          others.delete(name);
        });
        if (took !== undefined) times.get(name)!.push(took);
      }
    }
    await portal.stop();
    const cold = await measureCold(dataDirectory, apiId);
    report(new Map([...times].map(([name, measured]) => [name, median(measured)])), first, cold);
  } finally {
    await portal.stop();
    target.stop();
    await rm(work, { recursive: true, force: true });
  }
}

function report(
  medians: Map<string, number>,
  first: number,
  cold: { ready: number; ran: number; stopped: number },
): void {
  const portal = medians.get("portal")!;
  const bare = medians.get("bare")!;
  print(`${requestCount} GET tests, 3 assertions each, results stored`);
  print(
    `portal, run all     ${show(portal)}  (median of ${rounds * runsARound}; the first after its start ${show(first).trim()})`,
  );
  print(
    `portal, cold        ${show(cold.stopped)}  start to stop: ready after ${show(cold.ready).trim()}, run by ${show(cold.ran).trim()}`,
  );
  print(
    `bare undici loop    ${show(bare)}  ${concurrency} at once: ${((bare / portal) * 100).toFixed(0)} % of the portal's time`,
  );
  for (const name of peerNames) {
    const time = medians.get(name);
    if (time === undefined) {
      process.exitCode = 1;
      print(`${name.padEnd(20)}   failed`);
      continue;
    }
    const ratio = time / portal;
    const missed = ratio >= wanted[name] ? "" : ", MISSED";
    if (missed) process.exitCode = 1;
    print(
      `${name.padEnd(20)}${show(time)}  ${ratio.toFixed(1)} times the portal's (at least ${wanted[name]}${missed}), ${(time / cold.stopped).toFixed(1)} times the cold one's`,
    );
  }
}

const [part, parameter] = process.argv.slice(2);
if (part === "target") serveTarget();
else if (part === "bare") await measureBareLoop(parameter!);
else await measure(part);
