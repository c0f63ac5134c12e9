import type { ApiSummary } from "#contracts/api-registry/apis.ts";
import type { Standing } from "~/features/verdict/find-standings.server";

export interface ApiStanding extends Standing {
  api: ApiSummary;
}

/** What fails comes first, the latest to begin before others; else they stay in their order. */
export function sortByStanding(standings: readonly ApiStanding[]): ApiStanding[] {
  const since = ({ executions }: ApiStanding) => executions?.failingSince ?? "";
  return [...standings].sort((a, b) => (since(a) === since(b) ? 0 : since(a) > since(b) ? -1 : 1));
}
