import type { Backend } from "~/backend/backend";
import { available } from "~/backend/responses";

/** Incidents of failures of these tests in a run or execution that ended then. */
export async function findIncidentsOfRun(
  { testAnalyzer }: Backend,
  { finishedAt, testIds }: { finishedAt: string | null; testIds: string[] },
) {
  if (!finishedAt || testIds.length === 0) return [];
  const query = { testIds: [...new Set(testIds)].join(","), at: finishedAt };
  const page = available(await testAnalyzer.listIncidents({ query }));
  return page?.items.map(({ id, title }) => ({ id, title })) ?? [];
}
