import { required } from "~/backend/responses";
import { findGivenValues, mergeValues } from "~/features/runs/given-values.server";
import { listMissingValues } from "~/features/runs/missing-values";
import type { Viewer } from "~/session/guards";

const onPage = 200;
/** The maximum that a run may name. */
const maxPages = 25;

/** Safe tests of an API that have all required values, and those that lack some; undefined where there are too many to check. */
export async function findReadyTests(viewer: Viewer, apiId: string) {
  const given = Object.keys(mergeValues(await findGivenValues(viewer, apiId)));
  const ready: string[] = [];
  const lacking: string[][] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const query = { safe: "true" as const, enabled: "true" as const, limit: onPage, cursor };
    const tests = required(await viewer.backend.testRegistry.listTests({ params: { apiId }, query }));
    for (const test of tests.items) {
      const missing = listMissingValues(test, given);
      if (missing.length === 0) ready.push(test.id);
      else lacking.push(missing);
    }
    if (!tests.nextCursor) return { ready, lacking: lacking.length, names: new Set(lacking.flat()) };
    cursor = tests.nextCursor;
  }
  return undefined;
}
