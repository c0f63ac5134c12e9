import { required } from "~/backend/responses";
import type { Viewer } from "~/session/guards";

/** The maximum of one run and of one call. */
const maxTests = 5_000;
const inOneCall = 200;

/** Tests of an API that failed or errored in their last run, each with its method. */
export async function findFailingTests({ backend }: Viewer, apiId: string): Promise<{ id: string; method: string }[]> {
  const ids: string[] = [];
  for (const verdict of ["failed", "errored", "blocked"] as const) {
    let cursor: string | undefined;
    do {
      const query = { verdict, cursor, limit: inOneCall };
      const page = required(await backend.testExecutioner.listLatestOfApi({ params: { apiId }, query }));
      ids.push(...page.items.map(({ testId }) => testId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor && ids.length < maxTests);
  }
  const tests: { id: string; method: string }[] = [];
  for (let from = 0; from < Math.min(ids.length, maxTests); from += inOneCall) {
    const query = { ids: ids.slice(from, Math.min(from + inOneCall, maxTests)).join(","), limit: inOneCall };
    tests.push(...required(await backend.testRegistry.listTests({ params: { apiId }, query })).items);
  }
  return tests.map(({ id, method }) => ({ id, method }));
}
