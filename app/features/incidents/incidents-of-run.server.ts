import type { Run } from "#contracts/test-executioner/runs.ts";
import { available } from "~/backend/answers";
import type { Backend } from "~/backend/backend";

/** Incidents that what failed in a run belongs to, by the failures that stand first. */
export async function findIncidentsOfRun(
  { testAnalyzer }: Backend,
  { finishedAt, firstFailures }: Pick<Run, "finishedAt" | "firstFailures">,
) {
  if (!finishedAt || firstFailures.length === 0) return [];
  const testIds = [...new Set(firstFailures.map(({ testId }) => testId))].join(",");
  const page = available(await testAnalyzer.listIncidents({ query: { testIds, at: finishedAt } }));
  return page?.items.map(({ id, title }) => ({ id, title })) ?? [];
}
