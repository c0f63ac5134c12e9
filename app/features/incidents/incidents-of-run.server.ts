import type { Run } from "#contracts/test-executioner/runs.ts";
import type { Backend } from "~/backend/backend";
import { available } from "~/backend/responses";

/** Incidents of a run's failures, in the order of the first failures. */
export async function findIncidentsOfRun(
  { testAnalyzer }: Backend,
  { finishedAt, firstFailures }: Pick<Run, "finishedAt" | "firstFailures">,
) {
  if (!finishedAt || firstFailures.length === 0) return [];
  const testIds = [...new Set(firstFailures.map(({ testId }) => testId))].join(",");
  const page = available(await testAnalyzer.listIncidents({ query: { testIds, at: finishedAt } }));
  return page?.items.map(({ id, title }) => ({ id, title })) ?? [];
}
