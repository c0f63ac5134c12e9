/**
 * The command line beside newman, Bruno CLI and Step CI, as whole processes: how long each takes to start, and for 500
 * tests of an API on loopback. Ours makes its tests from a document of 500 operations, each with status, content type and
 * schema; the others have the same number of requests with three assertions each. The peers are installed into a
 * temporary folder, or into the given one.
 *
 *     npm run build && npm run bench:command-line [-- folder for the peers]
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { installPeers, type PeerName, peerNames, peerProgram, preparePeers } from "./engine/peers.ts";
import { median, print, show } from "./engine/printed.ts";
import { measureProcess, startTarget } from "./engine/processes.ts";
import { requestCount, requestNumbers } from "./engine/suite.ts";
import { serveTarget } from "./engine/target.ts";

const program = fileURLToPath(import.meta.url);
const commandLine = fileURLToPath(new URL("../build/cli/package/main.js", import.meta.url));
const rounds = 5;
/** At least so many times as fast. */
const wanted: Record<PeerName, number> = { newman: 12, "Bruno CLI": 10, "Step CI": 4 };

async function writeDocument(folder: string): Promise<string> {
  const pet = {
    type: "object",
    required: ["id", "name", "tags", "owner"],
    properties: {
      id: { type: "integer" },
      name: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      owner: { type: "object", properties: { name: { type: "string" }, age: { type: "integer" } } },
    },
  };
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } };
  const operation = (number: number) => ({
    get: { summary: `Request ${number}`, responses: { 200: { description: "A pet", content } } },
  });
  const paths = Object.fromEntries(requestNumbers.map((number) => [`/pets${number}`, operation(number)]));
  const file = join(folder, "openapi.json");
  const document = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    paths,
    components: { schemas: { Pet: pet } },
  };
  await writeFile(file, JSON.stringify(document));
  return file;
}

async function measure(peerFolder: string | undefined): Promise<void> {
  if (!existsSync(commandLine)) throw new Error("The command line is not built yet: run npm run build first.");
  const work = await mkdtemp(join(tmpdir(), "bench-command-line-"));
  const folder = resolve(peerFolder ?? join(work, "peers"));
  await mkdir(folder, { recursive: true });
  installPeers(folder);
  const target = await startTarget(program);
  try {
    const document = await writeDocument(work);
    const run = (...given: string[]) => measureProcess(process.execPath, [commandLine, ...given], work);
    const first = await run("check", document, "--url", target.baseUrl, "--no-invalid");
    if (!first.output.includes(`${requestCount} passed`)) throw new Error(`Not all passed:\n${first.output}`);
    const ours = async () => (await run("check", document, "--url", target.baseUrl, "--no-invalid")).milliseconds;
    const start = (name: PeerName) => async () =>
      (await measureProcess(peerProgram(folder, name), ["--version"], work)).milliseconds;
    const starts = new Map([
      ["assurance", async () => (await run("--version")).milliseconds],
      ...peerNames.map((name) => [name, start(name)] as const),
      ["node alone", async () => (await measureProcess(process.execPath, ["-e", "0"], work)).milliseconds],
    ]);
    report("Start: --version", await takeTurns(starts), {});
    print();
    const runs = new Map([["assurance", ours], ...(await preparePeers(folder, work, target.baseUrl))]);
    report(`${requestCount} tests`, await takeTurns(runs), wanted);
  } finally {
    target.stop();
    await rm(work, { recursive: true, force: true });
  }
}

/** All take part in every round, so that other load on the machine affects all of them. */
async function takeTurns(runners: Map<string, () => Promise<number>>): Promise<Map<string, number>> {
  const times = new Map<string, number[]>([...runners.keys()].map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of runners) {
      const took = await run().catch((error: Error) => {
        print(`${name} failed in round ${round + 1}: ${error.message.slice(0, 300)}`);
        runners.delete(name);
        times.delete(name);
      });
      if (took !== undefined) times.get(name)!.push(took);
    }
  }
  return new Map([...times].map(([name, measured]) => [name, median(measured)]));
}

function report(title: string, medians: Map<string, number>, limits: Partial<Record<string, number>>): void {
  print(`${title}, median of ${rounds}`);
  const own = medians.get("assurance")!;
  for (const [name, time] of medians) {
    const limit = limits[name];
    const ratio = time / own;
    const said = name === "assurance" ? "" : `${ratio.toFixed(1)}×`;
    const verdict = limit === undefined ? "" : `  wanted ${limit}×${ratio < limit ? ", missed" : ""}`;
    print(`  ${name.padEnd(12)} ${show(time)}  ${said}${verdict}`);
  }
}

if (process.argv[2] === "target") serveTarget();
else await measure(process.argv[2]);
