import type { z } from "@hono/zod-openapi";
import { Problem } from "#contracts/kit/problem.ts";
import type { runSourceInput } from "#contracts/test-executioner/run-starts.ts";
import type { RunSource } from "#contracts/test-executioner/runs.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import type { Connect } from "../../kit/client/client.ts";
import { chooseMembers, toMembers } from "../domain/members.ts";
import type { CaptureSeal } from "../jobs/capture-seal.ts";
import { loadCaptures } from "../store/captures.ts";
import { toCircle } from "../store/run-list.ts";
import { parseSurroundings } from "../store/surroundings.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { type CircleParts, resolveCircle } from "./circle-source.ts";
import { loadNamedTests, loadTestsOfApi, requireNamedTests } from "./loading-tests.ts";
import { loadRepeated } from "./repetitions.ts";
import type { ResolvedSource } from "./resolved-source.ts";

type TestClient = ReturnType<Connect<typeof testRegistryContract>>;

interface SourceParts extends CircleParts {
  db: ExecutionDatabase;
  seal: CaptureSeal;
  client: TestClient;
  organizationId: string;
  requestId: string;
}

const choose = (tests: Test[], include: "safe" | "all") =>
  include === "safe" ? tests.filter(({ method }) => isSafe(method)) : tests;
const allOf = (tests: Test[]) => tests.flatMap((test) => toMembers(test, "main"));

export async function resolveSource(
  parts: SourceParts,
  input: z.output<typeof runSourceInput>,
): Promise<ResolvedSource> {
  if ("tests" in input) {
    const tests = await requireNamedTests(parts.client, input.tests, { path: "source.tests" });
    const chosen = choose(tests, input.include);
    return { source: toSource(chosen), members: allOf(chosen), leftOut: tests.length - chosen.length };
  }
  if ("apiId" in input) {
    const { apiId, include } = input;
    const tests = await loadTestsOfApi(parts.client, apiId, true);
    const chosen = choose(tests, include);
    return {
      source: { kind: "api", apiId, include },
      members: allOf(chosen),
      leftOut: tests.length - chosen.length,
    };
  }
  if ("testCircleId" in input) return await resolveCircle(parts, parts, input);
  return await resolveRerun(parts, input);
}

export function toSource(tests: Test[]): RunSource {
  const [only] = tests;
  return tests.length === 1 && only
    ? { kind: "test", testId: only.id, testName: only.name }
    : { kind: "tests", testCount: tests.length };
}

type RerunInput = Extract<z.output<typeof runSourceInput>, { runId: string }>;

async function resolveRerun(
  { db, seal, client, organizationId }: SourceParts,
  input: RerunInput,
): Promise<ResolvedSource> {
  const { runId } = input;
  const from = "from" in input ? input.from : undefined;
  const { run, chosen } = await loadRepeated(db, organizationId, { runId, from });
  if (from !== undefined && chosen.length === 0) {
    throw new Problem("invalid_input", undefined, {
      errors: [{ path: "source.from", message: "The run has no member at this position" }],
    });
  }
  const tests = await loadNamedTests(
    client,
    chosen.map(({ testId }) => testId),
  );
  const { variables, secretReferences, apis, onlyOwn, locationId, chosenLocation, places } = parseSurroundings(
    run.surroundings,
  );
  const captures = (await loadCaptures(db, [runId])).get(runId) ?? [];
  const earlier = { organization_id: organizationId, run_id: runId };
  return {
    source: { kind: "rerun", runId, from, circle: toCircle(run) },
    members: chooseMembers(chosen, tests),
    leftOut: 0,
    settled: {
      order: run.execution_order,
      concurrency: run.concurrency,
      stopOnFailure: run.stop_on_failure,
      ...{ onlyOwn: onlyOwn !== undefined, locationId, chosenLocation, places },
      ...{ variables, secretReferences },
      captures: Array.from({ length: run.series_size ? run.executions / run.series_size : 1 }, (_, series) =>
        captures
          .filter((capture) => capture.series === series)
          .map((capture) => seal.open(earlier, capture, onlyOwn?.unique)),
      ),
      apis: apis.map(({ apiId, environment, baseUrls }) => ({ apiId, environment, baseUrl: baseUrls[0] ?? null })),
    },
  };
}
