import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { startTcpProxy } from "../../services/kit/testing/tcp-proxy.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { type AgentAtWork, createLocation, createTests, registerAgent } from "../support/agent-at-work.ts";
import { builtCommandLine } from "../support/command-line.ts";
import { repetitions, reportFigure } from "../support/endurance.ts";
import { listFreePorts } from "../support/free-ports.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { type Program, serverProgram, startProgram } from "../support/program.ts";

const administrator = { username: "admin", password: "correct-horse-battery" };
/** Of the agent, of the portal, and of the network between them. */
const faultsOfEach = repetitions(2, 20);
const concurrency = 8;
/** Between two faults, several times what the agent holds: none loses the same executions twice. */
const resultsBetween = 25;
/** More than those: work continues during a fault. */
const executions = repetitions(200, 4_000);

let location: string;
let database: TestDatabase;
let client: pg.Client;
let target: Target;
let port: number;
let portal: Program;
let network: Awaited<ReturnType<typeof startTcpProxy>>;
let agent: AgentAtWork;

async function startPortal(): Promise<string> {
  portal = startProgram(serverProgram, {
    ...{ DATABASE_URL: database.url, DATA_DIRECTORY: location, ADMIN_PASSWORD: administrator.password },
    ...{ PORT: String(port), SECRETS_KEY: "one key for all processes of this installation", LOG_LEVEL: "warn" },
  });
  return await portal.says(/portal is ready at (\S+)/);
}

beforeAll(async () => {
  location = mkdtempSync(join(tmpdir(), "agent-survival-"));
  [port = 0] = await listFreePorts(1);
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  target = await startTarget((_, response) => void setTimeout(() => response.end("{}"), 100));
});
afterAll(async () => {
  await agent?.stop();
  await portal?.kill();
  await network?.stop();
  await client?.end();
  await database?.drop();
  await target?.close();
  rmSync(location, { recursive: true, force: true });
});

async function countRecorded(): Promise<number> {
  const { rows } = await client.query("select count(*)::int as count from test_executioner.executions");
  return rows[0].count;
}

/** The most that a process has held in memory so far; 0 where that is not known, or it has ended. */
function readPeakMegabytes({ process: { pid } }: Program): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kilobytes ?? 0) / 1_024);
  } catch {
    return 0;
  }
}

/** Of the command line, of which the agent is a part. */
function measureBundle(): number {
  const folder = dirname(builtCommandLine[0]!);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test("J01: agent and portal are killed and their network is cut in turn: no execution is lost, and none recorded twice", async () => {
  const origin = await startPortal();
  const backend = await signInToBackend({ origin, ...administrator });
  const locationId = await createLocation(backend, "Berlin");
  network = await startTcpProxy(origin);
  agent = await registerAgent(backend, network.url, locationId);
  const start = () => agent.start(["--concurrency", String(concurrency)], [target.host]);
  let program = start();
  let peakMegabytes = 0;
  const tests = await createTests(backend, target.baseUrl, executions);
  const body = { source: { tests }, locationId };
  const { id: runId } = requireValue(await backend.testExecutioner.startRun({ body }), "run");

  const faults = {
    agent: async () => {
      peakMegabytes = Math.max(peakMegabytes, readPeakMegabytes(program));
      await program.kill();
      program = start();
    },
    portal: async () => {
      await portal.kill();
      await startPortal();
    },
    network: async () => {
      await network.refuse();
      await new Promise((resolve) => setTimeout(resolve, 500));
      await network.forward();
    },
  };
  for (let number = 0; number < faultsOfEach; number += 1) {
    for (const fault of Object.values(faults)) {
      const before = await countRecorded();
      await expect.poll(countRecorded, { timeout: 120_000 }).toBeGreaterThanOrEqual(before + resultsBetween);
      await fault();
    }
  }
  await expect.poll(countRecorded, { timeout: 300_000 }).toBe(executions);
  const { rows } = await client.query(
    `select run.state, run.executions, run.passed, run.unfinished,
      (select count(*)::int from test_executioner.unfinished_executions) as left
    from test_executioner.runs run where id = $1`,
    [runId],
  );
  expect(rows).toEqual([{ state: "finished", executions, passed: executions, unfinished: 0, left: 0 }]);
  peakMegabytes = Math.max(peakMegabytes, readPeakMegabytes(program));
  const bundleMegabytes = (measureBundle() / 1_048_576).toFixed(1);
  reportFigure(`An agent held at most ${peakMegabytes} MB in memory; the command line has ${bundleMegabytes} MB.`);
  reportFigure(
    `Agent, portal and network failed ${faultsOfEach} times each among ${executions} executions: 0 lost, 0 recorded twice, ${target.requests.length - executions} requests sent again.`,
  );
});
