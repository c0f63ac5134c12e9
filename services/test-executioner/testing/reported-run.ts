import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import type { ReportedExecution, WriteReport } from "../domain/report/reported-run.ts";

const apiId = "019aa000-0000-7000-8000-00000000000a";

export function runSummary(changes: Partial<RunSummary> = {}): RunSummary {
  return {
    id: "019aa000-0000-7000-8000-000000000001",
    source: { kind: "api", apiId, include: "all" },
    trigger: "manual",
    startedBy: null,
    order: "parallel",
    concurrency: null,
    stopOnFailure: false,
    onlyOwn: false,
    state: "finished",
    verdict: "failed",
    counts: {
      tests: 1,
      executions: 1,
      unfinished: 0,
      cancelled: 0,
      passed: 1,
      failed: 0,
      errored: 0,
      flaky: 0,
      skipped: 0,
      blocked: 0,
      regional: 0,
      leftOut: 0,
    },
    apis: [
      {
        apiId,
        apiName: "Bookshop 2.1",
        documentId: "019aa000-0000-7000-8000-00000000000d",
        environment: "staging",
        baseUrl: "https://staging.example.com/v2",
      },
    ],
    reason: null,
    queuedAt: "2026-11-21T14:00:00.000Z",
    startedAt: "2026-11-21T14:00:00.100Z",
    finishedAt: "2026-11-21T14:00:31.350Z",
    ...changes,
  };
}

export function reportedExecution(changes: Partial<ReportedExecution> = {}): ReportedExecution {
  return {
    position: 1,
    phase: "main",
    executionId: "019aa000-0000-7000-8000-0000000000e1",
    testId: "019aa000-0000-7000-8000-0000000000f1",
    testName: "Get a book",
    apiId,
    method: "get",
    path: "/books/{bookId}",
    state: "finished",
    verdict: "passed",
    reason: null,
    attemptCount: 1,
    statusCode: 200,
    queuedAt: "2026-11-21T14:00:00.000Z",
    startedAt: "2026-11-21T14:00:00.100Z",
    finishedAt: "2026-11-21T14:00:00.184Z",
    durationMilliseconds: 84,
    attempts: [madeAttempt()],
    verifications: [],
    ...changes,
  };
}

export function madeAttempt(changes: Partial<Attempt> = {}): Attempt {
  return {
    number: 1,
    startedAt: "2026-11-21T14:00:00.100Z",
    durationMilliseconds: 84,
    request: {
      method: "GET",
      url: "https://staging.example.com/v2/books/4711?fields=title&fields=price",
      headers: [["accept", "application/json"]],
      body: null,
      bodyBytes: 0,
    },
    response: madeResponse(),
    phases: { blocked: 0, dns: 2, connect: 10, tls: 20, send: 1, wait: 50, receive: 1, total: 84 },
    verdict: "passed",
    ...changes,
  };
}

type Response = NonNullable<Attempt["response"]>;

export function madeResponse(changes: Partial<Response> = {}): Response {
  return {
    url: "https://staging.example.com/v2/books/4711?fields=title&fields=price",
    status: 200,
    statusText: "OK",
    httpVersion: "1.1",
    headers: [["content-type", "application/json"]],
    body: '{"title":"Dune"}',
    bodyBytes: 16,
    truncated: false,
    redirects: [],
    ...changes,
  };
}

/** The whole text of a report. */
export async function writeWhole(
  write: WriteReport,
  run: RunSummary,
  executions: Iterable<ReportedExecution>,
): Promise<string> {
  async function* read() {
    yield* executions;
  }
  let text = "";
  for await (const piece of write(run, read())) text += piece;
  return text;
}
