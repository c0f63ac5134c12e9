import type { RecoveringTest } from "#contracts/test-analyzer/recoveries.ts";
import type { ApiExecutionSummary } from "#contracts/test-executioner/latest-executions.ts";
import type { Backend } from "~/backend/backend";
import { available } from "~/backend/responses";

/** Tests that passed last, but not where they fail: their incident is open. None while a service is unavailable. */
export async function findRecoveringTests(
  { testAnalyzer, testExecutioner }: Pick<Backend, "testAnalyzer" | "testExecutioner">,
  of: { apiIds?: string } = {},
): Promise<RecoveringTest[]> {
  const found = available(await testAnalyzer.listRecoveringTests({ query: of }))?.items ?? [];
  if (found.length === 0) return [];
  const testIds = found.map(({ testId }) => testId).join(",");
  const latest = available(await testExecutioner.listLatestExecutions({ query: { testIds } }))?.items ?? [];
  const passed = latest.filter(({ verdict }) => verdict === "passed" || verdict === "flaky");
  const ids = new Set(passed.map(({ testId }) => testId));
  return found.filter(({ testId }) => ids.has(testId));
}

/** An API's last verdicts, of which `passed` and `flaky` exclude recovering tests. */
export interface ApiExecutions extends ApiExecutionSummary {
  recovering: RecoveringTest[];
}

/** Summaries of APIs that have one; undefined while they are unknown. */
export async function summarizeApis(
  backend: Pick<Backend, "testAnalyzer" | "testExecutioner">,
  apiIds: string,
): Promise<ApiExecutions[] | undefined> {
  const [summaries, recovering] = await Promise.all([
    backend.testExecutioner.summarizeApis({ query: { apiIds } }).then(available),
    findRecoveringTests(backend, { apiIds }),
  ]);
  return summaries?.items.map((summary) => withRecovering(summary, recovering));
}

/** Counts recovering tests apart, since their incident is open. */
function withRecovering(summary: ApiExecutionSummary, all: readonly RecoveringTest[]): ApiExecutions {
  const recovering = all.filter(({ apiId }) => apiId === summary.apiId);
  const passed = Math.max(0, summary.passed - recovering.length);
  const flaky = Math.max(0, summary.flaky - Math.max(0, recovering.length - summary.passed));
  const since = [summary.failingSince, ...recovering.map((test) => test.since)].filter((one) => one !== null).sort();
  return { ...summary, passed, flaky, failingSince: since[0] ?? null, recovering };
}
