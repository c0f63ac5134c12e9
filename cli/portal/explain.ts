import type { IncidentSummary } from "#contracts/test-analyzer/incidents.ts";
import type { ComparedMember } from "#contracts/test-executioner/comparisons.ts";
import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import { formatMoment } from "#libraries/time-zone/written-moment.ts";
import type { ExitCode } from "../exit-codes.ts";
import { openTerminal, type Terminal, writeOutcome } from "../report/terminal.ts";
import { type Report, toExitCode } from "../report/to-report.ts";
import { connect } from "./access-file.ts";
import { toRunAddress } from "./addresses.ts";
import type { Connection } from "./connection.ts";
import { findLatest } from "./run.ts";

/** Why a run did not pass: its reasons, the incidents they belong to, and what has changed since it passed. */
export async function explain(runId: string | undefined): Promise<ExitCode> {
  const connection = await connect();
  const id = runId ?? (await findLatest(connection)).id;
  const report = await connection.call<Report>("test-executioner", `/api/v1/runs/${id}/report`);
  const terminal = openTerminal(process.stdout);
  terminal.write(`${toTitle(report.run)}, ${formatMoment(report.run.queuedAt)}\n`);
  writeOutcome(terminal, report, () => undefined);
  const passed = await findPassed(connection, report.run);
  if (passed) await writeChanges(connection, terminal, report.run, passed);
  await writeIncidents(connection, terminal, report.run);
  terminal.write(`${toRunAddress(connection, report.run)}\n`);
  return toExitCode(report.run);
}

function toTitle({ source, apis }: RunSummary): string {
  if (source.kind === "circle") return source.testCircleName;
  if (source.kind === "test") return source.testName;
  return apis.map(({ apiName }) => apiName).join(", ");
}

/** The last run of the same before it that passed. */
async function findPassed(connection: Connection, run: RunSummary): Promise<RunSummary | undefined> {
  const { source } = run;
  const same =
    source.kind === "circle"
      ? { testCircleId: source.testCircleId }
      : source.kind === "test"
        ? { testId: source.testId }
        : source.kind === "api"
          ? { apiId: source.apiId }
          : undefined;
  if (!same || run.verdict === "passed") return undefined;
  const { items } = await connection.call<{ items: RunSummary[] }>("test-executioner", "/api/v1/runs", {
    query: { ...same, verdict: "passed", to: run.queuedAt, limit: 20 },
  });
  return items.find((one) => one.source.kind === source.kind);
}

async function writeChanges(connection: Connection, terminal: Terminal, run: RunSummary, passed: RunSummary) {
  const { items } = await connection.call<{ items: ComparedMember[] }>(
    "test-executioner",
    `/api/v1/runs/${run.id}/comparison`,
    { query: { before: passed.id, only: "changed", limit: 50 } },
  );
  terminal.write(`\nIt passed last at ${formatMoment(passed.finishedAt ?? passed.queuedAt)}. Since then:\n`);
  if (items.length === 0) terminal.write("  no response has changed.\n");
  for (const { testName, before, statusCode, verdict, body } of items) {
    const said = [
      ...(before && before.statusCode !== statusCode
        ? [`status ${before.statusCode ?? "none"} → ${statusCode ?? "none"}`]
        : []),
      ...(before && before.verdict !== verdict ? [`${before.verdict} → ${verdict}`] : []),
      ...(before ? [] : ["new"]),
      ...(body?.differences ?? [])
        .slice(0, 3)
        .map((one) => `${one.pointer || "/"}: ${one.before ?? "nothing"} → ${one.after ?? "nothing"}`),
    ];
    if (said.length > 0) terminal.write(`  ${testName}: ${said.join("; ")}\n`);
  }
}

async function writeIncidents(connection: Connection, terminal: Terminal, run: RunSummary): Promise<void> {
  const incidents = await connection.all<IncidentSummary>("test-analyzer", "/api/v1/incidents", {
    state: "unresolved",
  });
  const own = incidents.filter(({ testCircleIds, apiIds }) =>
    run.source.kind === "circle"
      ? testCircleIds.includes(run.source.testCircleId)
      : run.apis.some(({ apiId }) => apiIds.includes(apiId)),
  );
  for (const { id, title, since, failing, acknowledged } of own) {
    const by = acknowledged ? `, acknowledged by ${acknowledged.by.name}` : "";
    terminal.write(
      `\nIncident: ${title}, since ${formatMoment(since)}, ${failing} failing${by}\n  ${connection.access.url}/test-management/incidents/${id}\n`,
    );
  }
}
