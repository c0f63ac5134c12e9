import type { ApiSummary } from "#contracts/api-registry/apis.ts";
import type { Standing } from "~/features/verdict/find-standings.server";

export interface ApiStanding extends Standing {
  api: ApiSummary;
}

/** Failing APIs come first, the most recent failure before others; the rest keep their order. */
export function sortByStanding(standings: readonly ApiStanding[]): ApiStanding[] {
  const since = ({ executions }: ApiStanding) => executions?.failingSince ?? "";
  return [...standings].sort((a, b) => (since(a) === since(b) ? 0 : since(a) > since(b) ? -1 : 1));
}
