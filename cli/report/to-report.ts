import { randomUUID } from "node:crypto";
import type { RunCounts, RunSummary } from "#contracts/test-executioner/runs.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { rowNameColumn } from "#libraries/template/placeholders.ts";
import type { ReportedExecution } from "../../services/test-executioner/domain/report/reported-run.ts";
import { isFailure, verdictRanking, worstVerdict } from "../../services/test-executioner/domain/verdict.ts";
import type { Ended } from "../check/run-circle.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";

/** A run with its executions, in the shape in which the portal reports one. */
export interface Report {
  run: RunSummary;
  executions: ReportedExecution[];
}

/** What a check did, as a run of a portal: the same reports are written of both. */
export function toReport(
  ended: readonly Ended[],
  { apiName, baseUrl, startedAt }: { apiName: string; baseUrl: string; startedAt: Date },
): Report {
  const apiId = randomUUID();
  const executions = ended.map((one, index) => toExecution(one, index + 1, apiId));
  const finishedAt = new Date().toISOString();
  const moments = { queuedAt: startedAt.toISOString(), startedAt: startedAt.toISOString(), finishedAt };
  return {
    executions,
    run: {
      ...{ id: randomUUID(), source: { kind: "tests", testCount: new Set(ended.map(({ testId }) => testId)).size } },
      ...{ trigger: process.env.CI ? "ci" : "manual", startedBy: null, order: "sequential", concurrency: null },
      ...{ stopOnFailure: false, onlyOwn: true, state: "finished", ...moments },
      verdict: worstVerdict(ended.map(({ verdict }) => verdict)),
      counts: count(ended),
      apis: [{ apiId, apiName, documentId: randomUUID(), environment: null, baseUrl }],
      reason: ended.find(({ verdict }) => isFailure(verdict))?.reason ?? null,
    },
  };
}

function count(ended: readonly Ended[]): RunCounts {
  const byVerdict = verdictRanking.map((verdict) => [verdict, ended.filter((one) => one.verdict === verdict).length]);
  return {
    ...{ tests: new Set(ended.map(({ testId }) => testId)).size, executions: ended.length },
    ...{ unfinished: 0, cancelled: 0, leftOut: 0 },
    ...(Object.fromEntries(byVerdict) as Record<Verdict, number>),
  };
}

function toExecution(
  { test, testId, phase, rowIndex, verdict, reason, startedAt, result }: Ended,
  position: number,
  apiId: string,
): ReportedExecution {
  const rowName = rowIndex === null ? undefined : test.data?.[rowIndex]?.[rowNameColumn];
  const { statusCode, responseMilliseconds, sendingMilliseconds, attemptCount, attempts, verifications } = result;
  return {
    ...{ position, phase, executionId: randomUUID(), testId, testName: test.name, apiId, method: test.method },
    ...{ path: test.path, ...(rowIndex === null ? {} : { row: rowIndex + 1 }), ...(rowName ? { rowName } : {}) },
    ...{ state: "finished", verdict, reason, attemptCount, statusCode, queuedAt: startedAt.toISOString() },
    ...{ startedAt: startedAt.toISOString(), finishedAt: result.finishedAt.toISOString() },
    durationMilliseconds: result.finishedAt.getTime() - startedAt.getTime(),
    ...{ responseMilliseconds, sendingMilliseconds, attempts, verifications },
  };
}

/** What failed is said by 1, what could not be judged by 2. */
export function toExitCode({ counts: { failed, errored, blocked } }: Pick<RunSummary, "counts">): ExitCode {
  if (failed > 0) return exitCodes.failed;
  return errored + blocked > 0 ? exitCodes.notJudged : exitCodes.passed;
}
