import { readFileSync } from "node:fs";
import fc from "fast-check";
import { parseDocument } from "htmlparser2";
import { expect, test } from "vitest";
import { memoryPages, validateXML } from "xmllint-wasm";
import { madeAttempt, madeResponse, reportedExecution, runSummary, writeWhole } from "../../testing/reported-run.ts";
import { writeJunitReport } from "./junit.ts";

const schema = readFileSync(new URL("../../../../tests/fixtures/junit/jenkins-xunit-10.xsd", import.meta.url), "utf8");

/** Errors that libxml2 finds in a report. */
async function getFaults(report: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: "report.xml", contents: report }],
    schema: [schema],
    initialMemoryPages: 256,
    maxMemoryPages: 4 * memoryPages.GiB,
  });
  return errors.map(({ rawMessage }) => rawMessage);
}

const { counts } = runSummary();

test("a run of every verdict fits Jenkins' schema, each with its own element", async () => {
  const verdicts = ["passed", "failed", "errored", "blocked", "skipped", "flaky"] as const;
  const executions = verdicts.map((verdict, index) =>
    reportedExecution({
      position: index + 1,
      testName: verdict,
      verdict,
      reason: verdict === "passed" ? null : `${verdict}: why`,
      attempts: [madeAttempt({ verdict })],
    }),
  );
  const cancelled = reportedExecution({ testName: "cancelled", state: "cancelled", verdict: null, attempts: [] });
  const running = reportedExecution({ testName: "running", state: "running", verdict: null, attempts: [] });
  const run = runSummary({
    counts: {
      ...counts,
      executions: 8,
      failed: 1,
      errored: 1,
      blocked: 1,
      skipped: 1,
      flaky: 1,
      cancelled: 1,
      unfinished: 1,
    },
  });

  const report = await writeWhole(writeJunitReport, run, [...executions, cancelled, running]);

  expect(await getFaults(report)).toEqual([]);
  expect(report).toContain('tests="8" failures="1" errors="2" time="31.250" skipped="3"');
  const reported = [...report.matchAll(/<testcase name="(\w+)"[^>]*?(?:\/>|>\n<(\w+))/g)].map(([, name, element]) => [
    name,
    element,
  ]);
  expect(reported).toEqual([
    ["passed", undefined],
    ["failed", "failure"],
    ["errored", "error"],
    ["blocked", "error"],
    ["skipped", "skipped"],
    ["flaky", undefined],
    ["cancelled", "skipped"],
    ["running", "skipped"],
  ]);
});

test("a flaky pass lists its earlier attempts as Surefire does, failures and errors separately", async () => {
  const attempts = [
    madeAttempt({ verdict: "errored", response: null, cause: { code: "timeout", detail: "No response in 5 s." } }),
    madeAttempt({
      number: 2,
      verdict: "failed",
      response: madeResponse({ status: 500, statusText: "Internal Server Error" }),
    }),
    madeAttempt({ number: 3 }),
  ];
  const report = await writeWhole(writeJunitReport, runSummary(), [reportedExecution({ verdict: "flaky", attempts })]);
  expect(await getFaults(report)).toEqual([]);
  expect(report).toContain('<flakyError type="timeout" message="Attempt 1 errored: No response in 5 s."><stackTrace>');
  expect(report).toContain('<flakyFailure type="failed" message="Attempt 2 failed"><stackTrace>');
  expect(report).toContain(": 500 Internal Server Error, 84 ms</stackTrace></flakyFailure>");
  expect(report).not.toMatch(/<(failure|error|rerun)/);
});

test("a test that waited and passed says how long, and its earlier tries are no failures", async () => {
  const attempts = [madeAttempt({ verdict: "failed" }), madeAttempt({ number: 2 })];
  const execution = reportedExecution({ verdict: "passed", reason: "Passed after 2 tries, 1.0 s.", attempts });
  const report = await writeWhole(writeJunitReport, runSummary(), [execution]);
  expect(await getFaults(report)).toEqual([]);
  expect(report).toContain("<system-out>Passed after 2 tries, 1.0 s.</system-out>");
  expect(report).not.toMatch(/<(failure|error|rerun|flaky)/);
});

test("a failure in every attempt is one failure and its reruns", async () => {
  const attempts = [madeAttempt({ verdict: "failed" }), madeAttempt({ number: 2, verdict: "failed" })];
  const execution = reportedExecution({ verdict: "failed", reason: "200 expected, 500 found", attempts });
  const report = await writeWhole(writeJunitReport, runSummary(), [execution]);
  expect(await getFaults(report)).toEqual([]);
  expect(report.match(/<failure /g)).toHaveLength(1);
  expect(report.match(/<rerunFailure /g)).toHaveLength(1);
  expect(report).toContain('<failure type="failed" message="200 expected, 500 found">');
});

test("a failure lists every failed verification, after the request and its response", async () => {
  const judged = { kind: "assertion", source: "statusCode", passed: false } as const;
  const verifications = [
    { ...judged, outcome: "failed" as const, message: "200 expected, 500 found" },
    { ...judged, outcome: "passed" as const, passed: true, message: "fine" },
    { ...judged, outcome: "failed" as const, message: "$.id is missing" },
  ];
  const execution = reportedExecution({ verdict: "failed", reason: "200 expected, 500 found", verifications });
  const report = await writeWhole(writeJunitReport, runSummary(), [execution]);
  expect(report).toMatch(/>GET https:\S+: 200 OK, 84 ms&#10;200 expected, 500 found&#10;\$\.id is missing<\/failure>/);
});

test("an incomplete response is reported with its status, its reason, and how much of its body came", async () => {
  const cause = { code: "connection_reset", detail: "The connection was reset.", phase: "receive" };
  const response = madeResponse({ incomplete: true, body: '{"tit', bodyBytes: 5 });
  const attempts = [madeAttempt({ verdict: "errored", cause, response })];
  const execution = reportedExecution({ verdict: "errored", reason: cause.detail, attempts });
  const report = await writeWhole(writeJunitReport, runSummary(), [execution]);
  expect(await getFaults(report)).toEqual([]);
  expect(report).toContain('<error type="connection_reset" message="The connection was reset.">');
  expect(report).toContain(": 200 OK, 84 ms&#10;The response is incomplete: 5 bytes of its body came.&#10;");
});

test("tests are grouped by API and operation, whatever dots their names have", async () => {
  const report = await writeWhole(writeJunitReport, runSummary(), [reportedExecution({ path: "/v2.1/books", row: 3 })]);
  expect(report).toContain(
    '<testcase name="Get a book, row 3" classname="Bookshop 2_1.GET /v2_1/books" time="0.084"/>',
  );
});

test("any text makes valid XML that reads back the same except for characters that XML can't contain", async () => {
  const texts = fc.sample(fc.string({ unit: "binary", maxLength: 40 }), { numRuns: 300, seed: 7 });
  const nasty = ["\0\x08\x1f\"<&>'\t\n\r", "]]>", "\ud800 alone", "\udc00", "\ufffe\uffff", "😀", ...texts];
  const executions = nasty.map((text) => reportedExecution({ testName: text, verdict: "failed", reason: text }));
  const report = await writeWhole(writeJunitReport, runSummary(), executions);
  expect(await getFaults(report)).toEqual([]);

  const read = [...report.matchAll(/<testcase name="([^"]*)"/g)].map(([, name]) => {
    const [element] = parseDocument(`<a b="${name}"/>`, { xmlMode: true }).children;
    return (element as unknown as { attribs: { b: string } }).attribs.b;
  });
  expect(read[0]).toBe("\\u0000\\u0008\\u001f\"<&>'\t\n\r");
  expect(read.slice(1, 6)).toEqual(["]]>", "\\ud800 alone", "\\udc00", "\\ufffe\\uffff", "😀"]);
});

test("an execution of a location says where it was sent from, and by which agent", async () => {
  const execution = reportedExecution({ location: "Berlin <office>", agent: "build-host-7" });
  const failed = reportedExecution({ location: "Berlin", verdict: "failed", reason: "Expected 200, got 500." });
  const report = await writeWhole(writeJunitReport, runSummary(), [execution, failed]);
  expect(await getFaults(report)).toEqual([]);
  expect(report).toContain("Sent from Berlin &lt;office&gt;, by build-host-7");
  expect(report).toContain("Sent from Berlin</system-err>");
});
