import { z } from "zod";
import type { Mark } from "#contracts/test-analyzer/marks.ts";
import type { RunFailure } from "#contracts/test-executioner/run-failures.ts";
import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import { verdicts } from "#contracts/test-executioner/verdicts.ts";
import { href } from "../../../app/href.ts";
import { type Assistant, answerOrNone, requireAnswer } from "../assistant.ts";
import { count, cursor, defineTool, givenId, id, limit, nextCursor } from "../tool.ts";

export const runFields = {
  id,
  state: z.string(),
  verdict: z
    .string()
    .nullable()
    .describe(
      "The worst of its executions, or `regional`: some failed, from fewer places than its circle's rule says, which is no failure; null while it runs",
    ),
  trigger: z.string(),
  reason: z.string().nullable().describe("Of its first failure"),
  counts: z.object({
    tests: z.number(),
    passed: z.number(),
    failed: z.number(),
    errored: z.number(),
    flaky: z.number(),
    skipped: z.number(),
    blocked: z.number(),
    regional: z.number().describe("Failed from a place, while their test does not fail by the circle's rule"),
    unfinished: z.number(),
    leftOut: z.number().describe("Tests that may change data, and were not run"),
  }),
  apis: z.array(z.object({ apiId: id, apiName: z.string(), environment: z.string().nullable() })),
  queuedAt: z.string(),
  finishedAt: z.string().nullable(),
};

/** "The run failed: 2 of 48 tests did not pass." */
export function describeRun({ state, verdict, counts }: Pick<RunSummary, "state" | "verdict" | "counts">): string {
  const failing = counts.failed + counts.errored + counts.blocked;
  if (state === "queued" || state === "running")
    return `The run is not finished: ${count(counts.unfinished, "execution")} to go.`;
  if (verdict === null) return `The run is ${state}.`;
  if (verdict === "regional")
    return `The run ended as regional, which is no failure: ${counts.regional} of ${count(counts.executions, "execution")} failed, from fewer places than the circle's rule says.`;
  return `The run ${verdict === "passed" ? "passed" : `ended as ${verdict}`}: ${failing} of ${count(counts.executions, "execution")} did not pass.`;
}

export function toRunPage({ origin }: Pick<Assistant, "origin">, run: Pick<RunSummary, "id" | "apis">): string | null {
  const [first] = run.apis;
  return first ? origin + href("/test-management/:apiId/runs/:runId", { apiId: first.apiId, runId: run.id }) : null;
}

export const listRuns = defineTool({
  name: "list_runs",
  title: "List runs",
  description:
    "Runs, newest first, optionally of one API or test, or with one verdict. explain_run says why one failed.",
  input: z.object({
    apiId: givenId.optional(),
    testId: givenId.optional(),
    verdict: z.enum(verdicts).optional(),
    limit,
    cursor,
  }),
  output: z.object({ runs: z.array(z.object(runFields)), nextCursor }),
  async answer(query, { services }) {
    const page = requireAnswer(await services.testExecutioner.listRuns({ query }));
    return { summary: `${count(page.items.length, "run")} on this page.`, data: { ...page, runs: page.items } };
  },
});

const difference = z.object({
  pointer: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

const explainedFailure = z.object({
  executionId: id,
  testId: id,
  testName: z.string(),
  method: z.string(),
  path: z.string(),
  verdict: z.string().nullable(),
  isRegional: z.boolean().optional().describe("Failed from its place only: its test does not fail"),
  location: z.string().optional().describe("Where it was sent from, if not from the portal"),
  reason: z.string().nullable(),
  statusCode: z.number().nullable(),
  failingForRuns: z.number().describe("Consecutive runs, including this one"),
  failingForLonger: z.boolean().describe("It may have failed for longer than the runs that were examined"),
  cause: z.object({ code: z.string(), detail: z.string() }).nullable().describe("Why it could not be judged, if so"),
  lastPassed: z.object({ executionId: id, finishedAt: z.string(), statusCode: z.number().nullable() }).nullable(),
  changedSince: z
    .object({
      response: z.array(z.string()).describe("Which parts differ from the last response that passed"),
      differences: z.array(difference).describe("In the body, the first ten"),
      marks: z
        .array(z.object({ kind: z.string(), name: z.string(), at: z.string() }))
        .describe("Deployments, document versions and edits of tests since it last passed"),
    })
    .nullable(),
  page: z.string(),
});

/** Of how many failures a run's explanation says what changed. */
const maxExplained = 5;

const since = (marks: Mark[], moment: string | undefined) =>
  moment === undefined ? [] : marks.filter(({ at }) => at > moment).slice(0, 10);

async function explainFailure(failure: RunFailure, { services, origin }: Assistant) {
  const { executionId, testId, apiId, failures, isWhole } = failure;
  const [execution, comparison, marks] = await Promise.all([
    services.testExecutioner.getExecution({ params: { executionId } }),
    services.testExecutioner.compareExecution({ params: { executionId } }),
    services.testAnalyzer.listMarks({ query: { apiId, testId, limit: 50 } }),
  ]);
  const compared = answerOrNone(comparison);
  const lastPassed = compared?.passed ?? null;
  const parameters = { apiId, testId, testExecutionId: executionId };
  return {
    ...failure,
    failingForRuns: failures,
    failingForLonger: !isWhole,
    cause: answerOrNone(execution)?.cause ?? null,
    lastPassed,
    changedSince: compared
      ? {
          response: compared.changes,
          differences: compared.body?.differences.slice(0, 10) ?? [],
          marks: since(answerOrNone(marks)?.items ?? [], lastPassed?.finishedAt),
        }
      : null,
    page: origin + href("/test-management/:apiId/tests/:testId/executions/:testExecutionId/verifications", parameters),
  };
}

export const explainRun = defineTool({
  name: "explain_run",
  title: "Explain a run",
  description:
    "A run's verdict and, for its first failures, in the portal's words: the reason, since when each fails, what it returned when it last passed, and what changed since (response, deployments, document, test).",
  input: z.object({ runId: givenId }),
  output: z.object({
    run: z.object(runFields),
    failures: z.array(explainedFailure),
    moreFailures: z.boolean(),
    page: z.string().nullable(),
  }),
  async answer({ runId }, assistant) {
    const { testExecutioner } = assistant.services;
    const params = { runId };
    const [run, failures] = await Promise.all([
      testExecutioner.getRun({ params, query: { limit: 1 } }).then(requireAnswer),
      testExecutioner.listRunFailures({ params, query: { limit: maxExplained } }).then(requireAnswer),
    ]);
    return {
      summary: describeRun(run),
      data: {
        run,
        failures: await Promise.all(failures.items.map((failure) => explainFailure(failure, assistant))),
        moreFailures: failures.nextCursor !== null,
        page: toRunPage(assistant, run),
      },
    };
  },
});
