import { available } from "~/backend/responses";
import type { Viewer } from "~/session/guards";
import { listBrokenTests } from "../alerting-rules";
import { cutReview, type ReviewedChanges } from "../reviewed-changes";

/** What changes with the version that the address serves now; undefined while it can't be read. */
export async function findReview(viewer: Viewer, apiId: string, url: string): Promise<ReviewedChanges | undefined> {
  const { apiRegistry, testAnalyzer } = viewer.backend;
  const comparison = available(await apiRegistry.compareDocument({ params: { apiId }, body: { source: { url } } }));
  if (!comparison) return undefined;
  const isBroken = listBrokenTests([...comparison.changed, ...comparison.removed]).length > 0;
  const rules = isBroken ? available(await testAnalyzer.listRules({ query: { limit: 200 } })) : undefined;
  return cutReview(comparison, apiId, rules?.items);
}
