import type { Result } from "./measure.ts";

const columns = [
  "server",
  "operations",
  "covered",
  "tests",
  "circles",
  "passed",
  "failed",
  "errored",
  "not run",
  "meaningful",
  "useless",
  "destructive",
  "2xx",
  "of reachable",
  "unstable",
  "drifts",
  "left",
  "requests",
  "seconds",
  "clicks",
  "fields",
] as const;
type Row = Record<(typeof columns)[number], string | number>;

const share = (part: number, whole: number) => (whole === 0 ? "–" : `${Math.round((100 * part) / whole)} %`);

function toRow(result: Result): Row {
  const { executions, operations, answered, neverRun } = result;
  const by = (verdicts: string[]) =>
    executions.filter(({ member }) => verdicts.includes(String(member.verdict))).length;
  const worth = (name: string) => executions.filter((one) => one.worth === name).length;
  const made = executions.length + neverRun.length - worth("notNeeded");
  const reachable = operations.filter((operation) => !Object.hasOwn(result.unreachable, operation));
  const reached = reachable.filter((operation) => answered.has(operation)).length;
  return {
    server: result.name,
    operations: operations.length,
    covered: result.covered.length,
    tests: result.tests,
    circles: result.circles,
    passed: by(["passed", "flaky"]),
    failed: by(["failed"]),
    errored: by(["errored"]),
    "not run": worth("notRun") + neverRun.length,
    meaningful: `${worth("meaningful")} (${share(worth("meaningful"), made)})`,
    useless: worth("useless"),
    destructive: new Set([...result.foreign, ...result.changed]).size,
    "2xx": answered.size,
    "of reachable": share(reached, reachable.length),
    unstable: result.unstable.length,
    drifts: result.driftsKnown === 0 ? "–" : `${result.driftsFound}/${result.driftsKnown}`,
    left: result.left.length,
    requests: result.requests,
    seconds: result.seconds.toFixed(1),
    clicks: result.clicks,
    fields: result.fields,
  };
}

/** A Markdown table, a row a server. */
export function toTable(results: Result[]): string {
  const rows = results.map(toRow);
  const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    line([...columns]),
    line(columns.map((_, index) => (index === 0 ? "---" : "---:"))),
    ...rows.map((row) => line(columns.map((column) => row[column]))),
  ].join("\n");
}

const oneLine = (text: string, limit: number) => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
};

/** What a person has to look at: a line each. */
export function* toLines(result: Result): Generator<string> {
  const { name } = result;
  for (const remark of result.remarks) yield `${name}: the page said ${remark}`;
  for (const { worth, why, member, attempt } of result.executions) {
    if (why === "") continue;
    const { method, path, statusCode, verdict, testName } = member;
    yield `${name}: ${worth}, ${verdict}: ${method.toUpperCase()} ${path} ${statusCode ?? "–"}: ${oneLine(why, 300)} [${testName}]`;
    if (attempt?.request && worth !== "notRun") {
      const { url, body } = attempt.request;
      yield `    sent ${oneLine(url, 300)}${body ? ` ${oneLine(body, 300)}` : ""}`;
      if (attempt.response?.body) yield `    got ${oneLine(attempt.response.body, 300)}`;
    }
  }
  for (const test of result.neverRun) yield `${name}: never run: ${test}`;
  for (const change of result.foreign) yield `${name}: changed what the run had not made: ${change}`;
  for (const change of result.changed) yield `${name}: is not as before: ${change}`;
  for (const item of result.left) yield `${name}: left behind: ${item}`;
  for (const line of result.unstable) yield `${name}: differs between rounds: ${line}`;
  const missing = result.operations.filter((operation) => !result.answered.has(operation));
  for (const operation of missing)
    yield `${name}: no 2xx: ${operation}${result.covered.includes(operation) ? "" : ", no test"}${result.unreachable[operation] ? ` (${result.unreachable[operation]})` : ""}`;
}
