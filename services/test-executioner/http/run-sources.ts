import type { z } from "@hono/zod-openapi";
import type { Connect } from "../../kit/client/client.ts";
import { isSafe } from "../../kit/openapi/safe-methods.ts";
import { notFound, Problem } from "../../kit/problem/problem.ts";
import type { testRegistryContract } from "../../test-registry/contract/contract.ts";
import type { Test } from "../../test-registry/contract/tests.ts";
import type { RunOrder, RunSource, runSourceInput } from "../contract/runs.ts";
import { chooseMembers, type Member } from "../domain/members.ts";
import type { CaptureSeal, OpenCapture } from "../jobs/capture-seal.ts";
import { loadCaptures } from "../store/captures.ts";
import { listMembers } from "../store/members.ts";
import { findRun } from "../store/run-list.ts";
import { parseSurroundings } from "../store/surroundings.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { loadNamedTests, loadTestsOfApi, requireNamedTests } from "./loading-tests.ts";

/** What is to be run, and how an earlier run of it was. */
export interface ResolvedSource {
  source: RunSource;
  members: Member[];
  leftOut: number;
  /** A rerun keeps to what the earlier run was started with. */
  earlier?: {
    order: RunOrder;
    stopOnFailure: boolean;
    variables: Record<string, string>;
    apis: { apiId: string; environment: string | null; baseUrl: string | null }[];
    /** What its members captured: those that failed may need it again. */
    captures: OpenCapture[];
  };
}

type TestClient = ReturnType<Connect<typeof testRegistryContract>>;

interface SourceParts {
  db: ExecutionDatabase;
  seal: CaptureSeal;
  client: TestClient;
  organizationId: string;
}

/** Of one run. */
const mostExecutions = 10_000;

export function membersOf(tests: Test[]): Member[] {
  return tests.flatMap((test): Member[] =>
    test.data && test.data.length > 0
      ? test.data.map((_, rowIndex) => ({ test, rowIndex }))
      : [{ test, rowIndex: null }],
  );
}

export async function resolveSource(
  parts: SourceParts,
  input: z.output<typeof runSourceInput>,
): Promise<ResolvedSource> {
  if ("tests" in input) {
    const tests = await requireNamedTests(parts.client, input.tests, { path: "source.tests" });
    return { source: sourceOf(tests), members: membersOf(tests), leftOut: 0 };
  }
  if ("apiId" in input) {
    const { apiId, include } = input;
    const tests = await loadTestsOfApi(parts.client, apiId, true);
    const chosen = include === "safe" ? tests.filter(({ method }) => isSafe(method)) : tests;
    return {
      source: { kind: "api", apiId, include },
      members: membersOf(chosen),
      leftOut: tests.length - chosen.length,
    };
  }
  return await resolveRerun(parts, input.runId);
}

export function sourceOf(tests: Test[]): RunSource {
  const [only] = tests;
  return tests.length === 1 && only
    ? { kind: "test", testId: only.id, testName: only.name }
    : { kind: "tests", testCount: tests.length };
}

async function resolveRerun({ db, seal, client, organizationId }: SourceParts, runId: string): Promise<ResolvedSource> {
  const run = await findRun(db, organizationId, runId);
  if (!run) throw notFound("run");
  if (!run.finished_at)
    throw new Problem("conflict", "This run still goes on. Run its failed tests again when it has ended.");
  const filter = {
    after: 0,
    verdicts: ["failed" as const, "errored" as const, "blocked" as const],
    limit: mostExecutions,
  };
  const failures = await listMembers(db, { organizationId, runId }, filter);
  const tests = await loadNamedTests(client, [...new Set(failures.map((row) => row.test_id))]);
  const { variables, apis } = parseSurroundings(run.surroundings);
  const captures = await loadCaptures(db, [runId]);
  return {
    source: { kind: "rerun", runId },
    members: chooseMembers(
      failures.map((row) => ({ testId: row.test_id, rowIndex: row.row_index })),
      tests,
    ),
    leftOut: 0,
    earlier: {
      order: run.execution_order,
      stopOnFailure: run.stop_on_failure,
      variables,
      captures: (captures.get(runId) ?? []).map((capture) =>
        seal.open({ organization_id: organizationId, run_id: runId }, capture),
      ),
      apis: apis.map(({ apiId, environment, baseUrls }) => ({ apiId, environment, baseUrl: baseUrls[0] ?? null })),
    },
  };
}

export function requireMembers({ members, leftOut, source }: ResolvedSource): void {
  if (members.length > mostExecutions) {
    throw new Problem(
      "invalid_input",
      `This would be ${members.length} executions; at most ${mostExecutions} fit one run.`,
    );
  }
  if (members.length > 0) return;
  const detail =
    leftOut > 0
      ? `All ${leftOut} tests may change something, and only safe ones were to be run.`
      : source.kind === "rerun"
        ? "Nothing failed in this run."
        : "There is no enabled test to run.";
  throw new Problem("invalid_input", detail, { errors: [{ path: "source", message: detail }] });
}
