import type { ApiSummary } from "#contracts/api-registry/apis.ts";
import type { IncidentSummary } from "#contracts/test-analyzer/incidents.ts";
import type { CircleStatus } from "#contracts/test-executioner/circle-statuses.ts";
import type { ApiExecutionSummary } from "#contracts/test-executioner/latest-executions.ts";
import { formatMoment } from "#libraries/time-zone/written-moment.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { openTerminal, type Terminal } from "../report/terminal.ts";
import { countOf } from "../report/words.ts";
import { connect } from "./access-file.ts";
import type { Connection } from "./connection.ts";

interface Failing {
  byApi: { apiId: string; total: number }[];
}

/** What fails now, since when, and what each circle's last run ended with. */
export async function status({ json }: { json?: true }): Promise<ExitCode> {
  const connection = await connect();
  const [apis, incidents, failing, circles] = await Promise.all([
    connection.all<ApiSummary>("api-registry", "/api/v1/apis"),
    connection.all<IncidentSummary>("test-analyzer", "/api/v1/incidents", { state: "unresolved" }),
    connection.call<Failing>("test-executioner", "/api/v1/failing-tests", { query: { limit: 1 } }),
    readCircles(connection),
  ]);
  if (json) {
    process.stdout.write(`${JSON.stringify({ apis, incidents, failing: failing.byApi, circles }, null, 2)}\n`);
    return exitCodes.passed;
  }
  const tested = await listTested(connection, apis);
  const terminal = openTerminal(process.stdout);
  const failingBy = new Map(failing.byApi.map(({ apiId, total }) => [apiId, total]));
  terminal.write(
    `${failingBy.size} of ${countOf(apis.length, "API")} failing, ${countOf(incidents.length, "open incident")}\n`,
  );
  writeList(
    terminal,
    "APIs",
    apis.map(({ id, name }) => {
      const total = failingBy.get(id) ?? 0;
      if (total > 0) return [terminal.color("red", "✗"), name, `${countOf(total, "test")} failing`];
      return tested.has(id)
        ? [terminal.color("green", "✓"), name, ""]
        : [terminal.color("dim", "-"), name, "not tested"];
    }),
  );
  writeList(
    terminal,
    "Circles",
    circles.map(({ name, lastRun }) => {
      if (!lastRun) return [terminal.color("dim", "-"), name, "never run"];
      const isGood = ["passed", "flaky", "regional"].includes(lastRun.verdict ?? "");
      const mark =
        lastRun.verdict === null
          ? terminal.color("dim", "…")
          : terminal.color(isGood ? "green" : "red", isGood ? "✓" : "✗");
      const word = lastRun.verdict ?? lastRun.state;
      return [
        mark,
        name,
        `${word}, ${formatMoment(lastRun.finishedAt ?? lastRun.queuedAt)}${lastRun.reason ? `: ${lastRun.reason}` : ""}`,
      ];
    }),
  );
  writeList(
    terminal,
    "Incidents",
    incidents.map(({ title, since, reason }) => [
      terminal.color("red", "✗"),
      title,
      `since ${formatMoment(since)}${reason ? `: ${reason}` : ""}`,
    ]),
  );
  return exitCodes.passed;
}

/** APIs with a test that has ended. */
async function listTested(connection: Connection, apis: readonly { id: string }[]): Promise<Set<string>> {
  const tested = new Set<string>();
  for (let from = 0; from < apis.length; from += 100) {
    const query = {
      apiIds: apis
        .slice(from, from + 100)
        .map(({ id }) => id)
        .join(","),
    };
    const path = "/api/v1/api-execution-summaries";
    const { items } = await connection.call<{ items: ApiExecutionSummary[] }>("test-executioner", path, { query });
    for (const { apiId, lastFinishedAt } of items) if (lastFinishedAt !== null) tested.add(apiId);
  }
  return tested;
}

async function readCircles(
  connection: Connection,
): Promise<{ name: string; lastRun: CircleStatus["lastRun"] | undefined }[]> {
  const circles = await connection.all<{ id: string; name: string }>("test-registry", "/api/v1/test-circles");
  const known = new Map<string, CircleStatus>();
  for (let from = 0; from < circles.length; from += 100) {
    const testCircleIds = circles
      .slice(from, from + 100)
      .map(({ id }) => id)
      .join(",");
    const { items } = await connection.call<{ items: CircleStatus[] }>(
      "test-executioner",
      "/api/v1/test-circle-standings",
      {
        query: { testCircleIds },
      },
    );
    for (const item of items) known.set(item.testCircleId, item);
  }
  return circles.map(({ id, name }) => ({ name, lastRun: known.get(id)?.lastRun }));
}

function writeList(terminal: Terminal, title: string, rows: string[][]): void {
  if (rows.length === 0) return;
  terminal.write(`\n${terminal.color("bold", title)}\n`);
  for (const [mark, name, more] of rows) terminal.write(`  ${mark} ${name}${more ? `  ${more}` : ""}\n`);
}
