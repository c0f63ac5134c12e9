import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CallResult, requireValue } from "../../services/kit/client/client.ts";
import { repetitions, reportFigure } from "../support/endurance.ts";
import { type PortalBackend, registerApi, signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, signInForToken, startPortalProcess } from "../support/portal-process.ts";
import { type Program, serverProgram, startProgram } from "../support/program.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

const rounds = repetitions(1, 10);
const writesPerRound = repetitions(160, 1_000);
const writers = 16;

let location: string;
let targetApi: TargetApi;
const running: { kill(): unknown }[] = [];

beforeAll(async () => {
  location = mkdtempSync(join(tmpdir(), "portal-writes-"));
  targetApi = await startTargetApi();
});
afterAll(async () => {
  for (const each of running) await each.kill();
  await targetApi.stop();
  rmSync(location, { recursive: true, force: true });
});

async function start(dataDirectory: string): Promise<PortalProcess> {
  const portal = await startPortalProcess({ dataDirectory, keepData: true, environment: { LOG_LEVEL: "warn" } });
  running.push({ kill: () => portal.process.kill("SIGKILL") });
  return portal;
}

async function kill({ process: child }: PortalProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

/** One write of two kinds in turn, so that two services' tables are written at once; returns whether it was acknowledged. */
async function write(backend: PortalBackend, apiId: string, name: string, number: number): Promise<boolean> {
  const result: CallResult<unknown> =
    number % 2 === 0
      ? await backend.securityService.createCredential({
          body: { name, domain: "api.example.com", type: "bearer", settings: {}, secret: `secret of ${name}` },
        })
      : await backend.testRegistry.createTest({
          params: { apiId },
          body: { name, method: "GET", path: "/books", request: {}, checks: ["not_a_server_error"] },
        });
  // Once killed it is "unavailable"; any other refusal would weaken this test.
  if (!result.ok && result.status !== 503) throw new Error(`Refused: ${result.problem.detail}`);
  return result.ok;
}

interface NamedPage {
  items: { name: string }[];
  nextCursor: string | null;
}

/** @param query keeps those that contain it */
async function listNames(backend: PortalBackend, apiId: string, query?: string): Promise<Set<string>> {
  const names = new Set<string>();
  const lists: ((cursor: string | undefined) => Promise<CallResult<NamedPage>>)[] = [
    (cursor) => backend.securityService.listCredentials({ query: { limit: 200, cursor, query } }),
    (cursor) => backend.testRegistry.listTests({ params: { apiId }, query: { limit: 200, cursor, query } }),
  ];
  for (const list of lists) {
    let cursor: string | undefined;
    do {
      const page = requireValue(await list(cursor), "listing what was written");
      for (const { name } of page.items) names.add(name);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
  }
  return names;
}

test("D01: no acknowledged write is lost when the process is killed during writes", async () => {
  const dataDirectory = join(location, "killed");
  const seed = Date.now() % 1_000_000;
  let portal = await start(dataDirectory);
  let backend = await signInToBackend(portal);
  const apiId = await registerApi(backend, targetApi.documentUrl);
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    // The last kills interrupt writes in progress: which of them were committed is unknown.
    const killAfter = writesPerRound - ((seed >> round) % 7) * 20;
    let sent = 0;
    let answered = 0;
    let killing: Promise<void> | undefined;
    await Promise.all(
      Array.from({ length: writers }, async () => {
        while (!killing) {
          const number = sent++;
          const name = `round ${round} write ${number}`;
          if (!(await write(backend, apiId, name, number))) continue;
          acknowledged.push(name);
          answered += 1;
          if (answered === killAfter) killing = kill(portal);
        }
      }),
    );
    await killing;
    portal = await start(dataDirectory);
    backend = await signInToBackend(portal);
    // Each round checks its own writes, the last round all: it finds those that a later kill removed.
    const query = round < rounds - 1 ? `round ${round} ` : undefined;
    const found = await listNames(backend, apiId, query);
    const lost = acknowledged.filter((name) => name.includes(query ?? "") && !found.has(name));
    expect(lost, `lost in round ${round}, seed ${seed}`).toEqual([]);
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(rounds * (writesPerRound - 120));
  reportFigure(`acknowledged writes: ${acknowledged.length}, kills: ${rounds}, lost: 0`);
  await kill(portal);
});

/** Moments of a first start, each detected in the data folder or the output. */
const moments: [string, (folder: string, program: Program) => boolean][] = [
  // Half a database is unusable, and the engine itself would not open it again.
  ["among the files of the database", (folder) => countFiles(join(folder, "database")) > 500],
  ["with the administrator's password just stored", (folder) => existsSync(join(folder, "administrator-password.txt"))],
  ["with its key just created", (folder) => existsSync(join(folder, "secrets.key"))],
  ["with the database's version just written", (folder) => existsSync(join(folder, "database", "PG_VERSION"))],
];

function countFiles(folder: string): number {
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0;
}

test.each(moments.slice(0, repetitions(1, moments.length)))(
  "D02: a first start killed %s is followed by a successful one",
  async (_, hasCome) => {
    const dataDirectory = mkdtempSync(join(location, "first-"));
    const environment = { DATA_DIRECTORY: dataDirectory, LOG_LEVEL: "warn" };
    const first = startProgram(serverProgram, environment);
    running.push(first);
    while (!hasCome(dataDirectory, first) && !/ready/.test(first.output())) await pause(1);
    await first.kill();
    const second = startProgram(serverProgram, environment);
    running.push(second);
    const origin = await second.says(/ready at (\S+)/);
    const password = readFileSync(join(dataDirectory, "administrator-password.txt"), "utf8").trim();
    expect(await signInForToken({ origin, username: "admin", password })).toMatch(/^ey/);
    await second.kill();
  },
);
