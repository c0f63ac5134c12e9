import { randomUUID } from "node:crypto";
import type { Run, RunSummary } from "#contracts/test-executioner/runs.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { compareWithPortal } from "../diff/compare-with-portal.ts";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import { openTerminal, type Terminal, writeMembers, writeOutcome } from "../report/terminal.ts";
import { type Report, toExitCode } from "../report/to-report.ts";
import { describeCounts } from "../report/words.ts";
import { parseReport, writeReports } from "../report/write-reports.ts";
import { parseVariables } from "../variables.ts";
import { connect } from "./access-file.ts";
import { toRunAddress } from "./addresses.ts";
import type { Connection } from "./connection.ts";
import { find } from "./find.ts";
import { warnOfVersion } from "./login.ts";

export interface RunFlags {
  circle?: string;
  api?: string;
  tag?: string;
  test: string[];
  all?: true;
  /** A document: only tests of operations that it changes. */
  onlyChanged?: string;
  environment?: string;
  baseUrl?: string;
  variable: string[];
  wait?: boolean | string;
  report: string[];
  json?: true;
}

type Source =
  | { tests: string[] }
  | { apiId: string; include: "safe" | "all" }
  | { testCircleId: string }
  | { runId: string; only: "failed" };

/** Starts a run of a circle, of an API or of tests, and waits for its end. */
export async function run(flags: RunFlags): Promise<ExitCode> {
  const variables = parseVariables(flags.variable);
  const connection = await connect();
  const { source, apiIds } = await findSource(connection, flags);
  if ("tests" in source && source.tests.length === 0) {
    process.stderr.write(`Nothing to run: no test is of an operation that ${flags.onlyChanged} changes.\n`);
    return exitCodes.passed;
  }
  const byApi = (value: string | undefined) => value && Object.fromEntries(apiIds.map((id) => [id, value]));
  return await follow(
    connection,
    {
      source,
      ...(flags.environment ? { environments: byApi(flags.environment) } : {}),
      ...(flags.baseUrl ? { baseUrls: byApi(flags.baseUrl) } : {}),
      ...(flags.variable.length > 0 ? { variables } : {}),
    },
    flags,
  );
}

/** Repeats what failed in a run. */
export async function rerun(runId: string | undefined, flags: Pick<RunFlags, "wait" | "report" | "json">) {
  const connection = await connect();
  const id = runId ?? (await findLatest(connection)).id;
  return await follow(connection, { source: { runId: id, only: "failed" } }, flags);
}

/** The newest run of the organization. */
export async function findLatest(connection: Connection): Promise<RunSummary> {
  const { items } = await connection.call<{ items: RunSummary[] }>("test-executioner", "/api/v1/runs", {
    query: { limit: 1 },
  });
  if (items[0]) return items[0];
  throw new CommandError(exitCodes.usage, "There is no run yet.");
}

async function findSource(connection: Connection, flags: RunFlags): Promise<{ source: Source; apiIds: string[] }> {
  const { circle, api, tag, test } = flags;
  if ([circle, api ?? tag, test[0]].filter(Boolean).length !== 1)
    throw new CommandError(
      exitCodes.usage,
      "Say what to run: --circle <name>, --api <name>, --tag <tag>, or --test <id>.",
    );
  if (circle) {
    const { id } = await find(connection, "circle", circle);
    const members = await connection.all<{ test: Test }>("test-registry", `/api/v1/test-circles/${id}/tests`);
    return { source: { testCircleId: id }, apiIds: listApis(members.map(({ test: one }) => one)) };
  }
  if (test.length > 0) {
    const tests = await Promise.all(test.map((id) => connection.call<Test>("test-registry", `/api/v1/tests/${id}`)));
    return { source: { tests: test }, apiIds: listApis(tests) };
  }
  const apiId = api && (await find(connection, "api", api)).id;
  if (flags.onlyChanged !== undefined) return await findChanged(connection, apiId, flags);
  const include = flags.all ? "all" : "safe";
  if (apiId && !tag) return { source: { apiId, include }, apiIds: [apiId] };
  const path = apiId ? `/api/v1/apis/${apiId}/tests` : "/api/v1/tests";
  const safe = flags.all ? undefined : "true";
  const chosen = await connection.all<Test>("test-registry", path, { tag, enabled: "true", safe });
  if (chosen.length > 0) return { source: { tests: chosen.map(({ id }) => id) }, apiIds: listApis(chosen) };
  const others = flags.all ? "" : " and a safe method. --all includes the others";
  throw new CommandError(exitCodes.usage, `No enabled test has the tag "${tag}"${others}.`);
}

/** Tests of the operations of an API that a document adds or changes, compared with the registered version. */
async function findChanged(connection: Connection, apiId: string | undefined, { onlyChanged, all, tag }: RunFlags) {
  if (!apiId)
    throw new CommandError(
      exitCodes.usage,
      "--only-changed needs --api: the document is compared with its registered version.",
    );
  const { added, changed } = await compareWithPortal(connection, apiId, onlyChanged!);
  const operations = [...added, ...changed].filter(({ kind }) => kind === "operation");
  const safe = all ? undefined : "true";
  const found = await Promise.all(
    operations.map(({ method, path, pathBefore }) =>
      connection.all<Test>("test-registry", `/api/v1/apis/${apiId}/tests`, {
        ...{ method, path: pathBefore ?? path, tag, enabled: "true", safe },
      }),
    ),
  );
  return { source: { tests: found.flat().map(({ id }) => id) }, apiIds: [apiId] };
}

const listApis = (tests: readonly { apiId: string }[]) => [...new Set(tests.map(({ apiId }) => apiId))];

async function follow(
  connection: Connection,
  body: { source: Source } & Record<string, unknown>,
  flags: Pick<RunFlags, "wait" | "report" | "json">,
): Promise<ExitCode> {
  const reports = [...flags.report.map(parseReport), ...(flags.json ? [parseReport("json=-")] : [])];
  const terminal = openTerminal(
    flags.json || reports.some(({ file }) => file === "-") ? process.stderr : process.stdout,
  );
  await warnOfVersion(connection);
  const deadline = performance.now() + parseWait(flags.wait) * 1_000;
  const headers = { "idempotency-key": randomUUID() };
  const trigger = process.env.CI ? "ci" : "api";
  let current: RunSummary = await connection.call<Run>("test-executioner", "/api/v1/runs", {
    ...{ headers, body: { ...body, trigger }, query: { wait: flags.wait === false ? 0 : 1 } },
  });
  const address = toRunAddress(connection, current);
  if (flags.wait === false) {
    terminal.write(`Started: ${address}\n`);
    return exitCodes.passed;
  }
  for (let seconds = 0.5; current.state !== "finished" && current.state !== "cancelled"; seconds *= 1.5) {
    if (performance.now() > deadline)
      throw new CommandError(exitCodes.notJudged, `The run is still running after the wait: ${address}`);
    const { executions, unfinished } = current.counts;
    terminal.showProgress(`${executions - unfinished} of ${executions} …`);
    current = await awaitEnd(connection, current.id, Math.min(seconds, terminal.isTerminal ? 1 : 5));
  }
  return await conclude(connection, current, { terminal, reports, address });
}

/** Seconds to wait at most. */
function parseWait(wait: boolean | string | undefined): number {
  if (typeof wait !== "string") return 1_800;
  const seconds = Number(wait);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new CommandError(exitCodes.usage, `--wait takes seconds, got "${wait}".`);
}

async function awaitEnd(connection: Connection, runId: string, seconds: number): Promise<RunSummary> {
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return await connection.call<Run>("test-executioner", `/api/v1/runs/${runId}`, { query: { limit: 1 } });
}

async function conclude(
  connection: Connection,
  { id, state }: RunSummary,
  { terminal, reports, address }: { terminal: Terminal; reports: ReturnType<typeof parseReport>[]; address: string },
): Promise<ExitCode> {
  const report = await connection.call<Report>("test-executioner", `/api/v1/runs/${id}/report`);
  if (terminal.isTerminal) writeMembers(terminal, report.executions);
  const nowhere = () => undefined;
  writeOutcome(terminal, report, nowhere);
  terminal.write(`${address}\n`);
  const title =
    report.run.source.kind === "circle"
      ? report.run.source.testCircleName
      : report.run.apis.map(({ apiName }) => apiName).join(", ");
  await writeReports(report, reports, { locate: nowhere, title: title || describeCounts(report.run.counts), address });
  if (state === "cancelled") return exitCodes.notJudged;
  return toExitCode(report.run);
}
