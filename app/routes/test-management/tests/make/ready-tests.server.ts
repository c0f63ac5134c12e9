import { required } from "~/backend/answers";
import { findEnvironmentInUse } from "~/runs/environment-in-use.server";
import { listMissingValues } from "~/runs/missing-values";
import type { Viewer } from "~/session/guards";
import { givenValues } from "./makeable.server";

const onPage = 200;
/** As many as a run may name. */
const mostPages = 25;

/** Safe tests of an API that have all the values they ask for, and those that have not; undefined where there are too many to look at. */
export async function findReadyTests(viewer: Viewer, apiId: string) {
  const { apiRegistry, testRegistry } = viewer.backend;
  const [values, environment, environments] = await Promise.all([
    givenValues(viewer, apiId),
    findEnvironmentInUse(viewer, apiId),
    apiRegistry.listEnvironments({ params: { apiId } }).then(required),
  ]);
  const inUse = environments.items.find(({ name }) => name === environment?.name);
  const given = Object.keys({ ...values, ...inUse?.variables });
  const ready: string[] = [];
  const lacking: string[][] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const query = { safe: "true" as const, enabled: "true" as const, limit: onPage, cursor };
    const tests = required(await testRegistry.listTests({ params: { apiId }, query }));
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
