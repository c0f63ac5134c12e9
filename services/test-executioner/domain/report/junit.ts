import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import type { RunCounts, RunSummary } from "#contracts/test-executioner/runs.ts";
import { describePlace, executionName, type ReportedExecution, type WriteReport } from "./reported-run.ts";
import { xmlElement, xmlOpening } from "./xml-text.ts";

/**
 * A run as JUnit XML, in the format of Jenkins' xUnit plugin. A failed judgement is a failure, an execution that could
 * not be judged an error, and one that did not run is skipped. Earlier attempts use the elements of Maven Surefire:
 * `flaky…` when a later one passed, `rerun…` when none did. Of a test that waited and passed, its output says how long.
 */
export const writeJunitReport: WriteReport = async function* (run, executions) {
  const { counts } = run;
  const totals = {
    tests: counts.executions,
    failures: counts.failed,
    errors: counts.errored + counts.blocked,
    time: seconds(getLength(run)),
  };
  const apiNames = new Map(run.apis.map(({ apiId, apiName }) => [apiId, apiName]));
  const name = [...apiNames.values()].join(", ") || "Run";
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `${xmlOpening("testsuites", { name: "API Assurance", ...totals })}\n`;
  const timestamp = (run.startedAt ?? run.queuedAt).replace(/(\.\d+)?Z$/, "");
  yield `${xmlOpening("testsuite", { name, ...totals, skipped: notRun(counts), timestamp, id: run.id })}\n`;
  yield getProperties(run);
  for await (const execution of executions) yield testCase(execution, apiNames.get(execution.apiId) ?? "API");
  yield "</testsuite>\n</testsuites>\n";
};

function notRun({ executions, passed, flaky, failed, errored, blocked, regional }: RunCounts): number {
  return executions - passed - flaky - failed - errored - blocked - regional;
}

function getLength({ startedAt, finishedAt }: RunSummary): number {
  return startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : 0;
}

function seconds(milliseconds: number): string {
  return (Math.max(0, milliseconds) / 1_000).toFixed(3);
}

function getProperties(run: RunSummary): string {
  const properties: [name: string, value: string | null][] = [
    ["run", run.id],
    ["verdict", run.verdict],
    ["trigger", run.trigger],
    ["order", run.order],
    ...run.apis.flatMap(({ apiName, documentId, environment, baseUrl }): [string, string | null][] => [
      [`${apiName}: document`, documentId],
      [`${apiName}: environment`, environment],
      [`${apiName}: base URL`, baseUrl],
    ]),
  ];
  const written = properties
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${xmlElement("property", { name, value: value! })}\n`);
  return `<properties>\n${written.join("")}</properties>\n`;
}

function testCase(execution: ReportedExecution, apiName: string): string {
  const attributes = {
    name: executionName(execution),
    // Readers use the part before the last dot as the package, so there is exactly one dot.
    classname: [apiName, `${execution.method.toUpperCase()} ${execution.path}`]
      .map((part) => part.replaceAll(".", "_"))
      .join("."),
    time: seconds(execution.durationMilliseconds ?? 0),
  };
  const place = describePlace(execution);
  const sentFrom = place ? [xmlElement("system-err", {}, `Sent ${place}`)] : [];
  const lines = [...getOutcome(execution), ...earlierAttempts(execution), ...sentFrom];
  if (lines.length === 0) return `${xmlElement("testcase", attributes)}\n`;
  return `${xmlOpening("testcase", attributes)}\n${lines.join("\n")}\n</testcase>\n`;
}

function getOutcome({ verdict, state, reason, attempts, verifications, isRegional }: ReportedExecution): string[] {
  // By the circle's rule it is no failure, and a pipeline is not to fail for it.
  if (isRegional) return [xmlElement("system-out", {}, `Regional, ${verdict} from this place: ${reason ?? ""}`)];
  const last = attempts.at(-1);
  const failed = verifications.filter(({ outcome }) => outcome === "failed").map(({ message }) => message);
  const said = failed.length > 0 ? failed : [reason];
  const detail = [last && attemptLine(last), ...said].filter(Boolean).join("\n");
  switch (verdict) {
    case "passed":
      return reason === null ? [] : [xmlElement("system-out", {}, reason)];
    case "flaky":
      return [];
    case "failed":
      return [xmlElement("failure", { type: "failed", message: reason ?? "Failed" }, detail)];
    case "errored":
    case "blocked":
      return [xmlElement("error", { type: last?.cause?.code ?? verdict, message: reason ?? "Not evaluated" }, detail)];
    case "skipped":
      return [xmlElement("skipped", { message: reason ?? "Skipped" })];
    default:
      return [
        xmlElement("skipped", {
          message: reason ?? (state === "cancelled" ? "Cancelled before it started" : "Not finished"),
        }),
      ];
  }
}

function earlierAttempts({ verdict, attempts, isRegional }: ReportedExecution): string[] {
  if (verdict === "passed" || isRegional) return [];
  const prefix = verdict === "flaky" ? "flaky" : "rerun";
  return attempts.slice(0, -1).map((attempt) => {
    const kind = attempt.verdict === "failed" ? "Failure" : "Error";
    const message = `Attempt ${attempt.number} ${attempt.verdict}${attempt.cause ? `: ${attempt.cause.detail}` : ""}`;
    const element = xmlElement("stackTrace", {}, attemptLine(attempt));
    const type = attempt.cause?.code ?? attempt.verdict;
    return `${xmlOpening(`${prefix}${kind}`, { type, message })}${element}</${prefix}${kind}>`;
  });
}

/** "GET https://api.example.com/books: 500 Internal Server Error, 84 ms" */
function attemptLine({ request, response, durationMilliseconds }: Attempt): string {
  if (!request) return "No request was sent.";
  const result = response ? `${response.status} ${response.statusText}`.trim() : "no response";
  const line = `${request.method} ${request.url}: ${result}, ${Math.round(durationMilliseconds)} ms`;
  if (!response?.incomplete) return line;
  return `${line}\nThe response is incomplete: ${response.bodyBytes} bytes of its body came.`;
}
