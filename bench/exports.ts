/**
 * The example shop's circle, run here and, exported, by newman and Bruno CLI: the verdict of each test beside theirs,
 * with the shop as it should be and with its two problems. The peers are installed into a temporary folder, or into the
 * given one; TEST_DATABASE_URL is a PostgreSQL that databases can be created in.
 *
 *     npm run bench:exports [-- folder for the peers]
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { ExportFormat, TestExport } from "#contracts/test-registry/test-exports.ts";
import { requireValue } from "../services/kit/client/client.ts";
import { openExampleCircle } from "../tests/support/example-circle.ts";
import { openHandledServices } from "../tests/support/handled-services.ts";
import { installPeers, peerProgram } from "./engine/peers.ts";
import { print } from "./engine/printed.ts";

/** Whether each test passed, by its name. */
type Verdicts = Map<string, boolean>;

const work = await mkdtemp(join(tmpdir(), "bench-exports-"));
const folder = resolve(process.argv[2] ?? join(work, "peers"));
await mkdir(folder, { recursive: true });
installPeers(folder);
const services = await openHandledServices();
const { shop, testCircleId, password } = await openExampleCircle(services.backend, work);
let differing = 0;
try {
  const { backend } = services;
  const get = async (format: ExportFormat) =>
    requireValue(await backend.testRegistry.exportCircle({ params: { testCircleId }, query: { format } }), format);
  const [postman, bruno] = [await get("postman"), await get("bruno")];
  const lost = [...postman.losses, ...bruno.losses].map(({ of, what, reason }) => `lost: ${of}: ${what}. ${reason}`);
  for (const line of new Set(lost)) print(line);
  for (const name of ["without problems", "with its problems"]) {
    shop.setProblems(name !== "without problems");
    const own = await runHere(testCircleId);
    const others = { newman: await runNewman(postman), "Bruno CLI": await runBruno(bruno) };
    print(`\nThe shop ${name}:`);
    for (const [test, passed] of own) {
      const said = Object.values(others).map((verdicts) => verdicts.get(test));
      const isSame = said.every((one) => one === passed);
      if (!isSame) differing += 1;
      const words = [passed, ...said].map((one) => (one === undefined ? "not run" : one ? "passed" : "failed"));
      print(`${isSame ? "  " : "! "}${words.map((word) => word.padEnd(8)).join("")}${test}`);
    }
  }
  print(`\nColumns: here, ${["newman", "Bruno CLI"].join(", ")}. ${differing} of the verdicts differ.`);
} finally {
  await services.stop();
  await shop.close();
  await rm(work, { recursive: true, force: true });
}
if (differing > 0) process.exitCode = 1;

async function runHere(testCircleId: string): Promise<Verdicts> {
  const executioner = services.backend.testExecutioner;
  const started = await executioner.runCircle({ params: { testCircleId }, query: { wait: 30 }, body: {} });
  const { id: runId } = requireValue(started, "running the circle");
  const report = await executioner.getRun({ params: { runId }, query: { limit: 200 } });
  const { members } = requireValue(report, "the run");
  return new Map(members.items.map(({ testName, verdict }) => [testName, verdict === "passed"]));
}

/** The secrets of an export, which its user sets: the shop's password, and one that is wrong on purpose. */
function listSecrets({ losses }: TestExport): string[] {
  return losses.flatMap(({ of, what }) => {
    const name = /^value of (.+)$/.exec(what)?.[1];
    const value = of === "A wrong password is refused" ? "not-the-password" : password;
    return name === undefined ? [] : ["--env-var", `${name}=${value}`];
  });
}

async function write({ files, format }: TestExport): Promise<string[]> {
  const paths = files.map(({ path }) => join(work, format, path));
  for (const [index, path] of paths.entries()) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, files[index]!.text);
  }
  return paths;
}

async function run(program: string, parameters: string[], cwd: string): Promise<void> {
  const child = spawn(program, parameters, { cwd, stdio: "ignore" });
  await new Promise((end) => child.on("exit", end));
}

async function runNewman(exported: TestExport): Promise<Verdicts> {
  const [collection] = await write(exported);
  const report = join(work, "newman.json");
  const secrets = listSecrets(exported);
  const reporting = ["--reporters", "json", "--reporter-json-export", report];
  await run(peerProgram(folder, "newman"), ["run", collection!, ...secrets, ...reporting], work);
  const { run: result } = JSON.parse(await readFile(report, "utf8"));
  const verdicts: Verdicts = new Map();
  for (const { item, assertions = [], requestError } of result.executions) {
    const passed = requestError === undefined && assertions.every(({ error }: { error?: unknown }) => !error);
    verdicts.set(item.name, passed);
  }
  return verdicts;
}

async function runBruno(exported: TestExport): Promise<Verdicts> {
  const [settings] = await write(exported);
  const report = join(work, "bruno.json");
  const secrets = listSecrets(exported);
  const parameters = ["run", "-r", "--env", "Default", ...secrets, "--reporter-json", report];
  await run(peerProgram(folder, "Bruno CLI"), parameters, dirname(settings!));
  const [{ results }] = JSON.parse(await readFile(report, "utf8"));
  const verdicts: Verdicts = new Map();
  for (const { name, testResults = [], assertionResults = [], error } of results) {
    const all = [...testResults, ...assertionResults] as { status: string }[];
    verdicts.set(name, !error && all.every(({ status }) => status === "pass"));
  }
  return verdicts;
}
