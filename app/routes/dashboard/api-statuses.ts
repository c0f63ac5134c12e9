import type { ApiSummary } from "#contracts/api-registry/apis.ts";
import type { ApiCounts } from "~/features/verdict/find-api-counts.server";

export interface ApiStatus extends ApiCounts {
  api: ApiSummary;
}

/** Failing APIs come first, the most recent failure before others; the rest keep their order. */
export function sortByStatus(statuses: readonly ApiStatus[]): ApiStatus[] {
  const since = ({ executions }: ApiStatus) => executions?.failingSince ?? "";
  return [...statuses].sort((a, b) => (since(a) === since(b) ? 0 : since(a) > since(b) ? -1 : 1));
}
