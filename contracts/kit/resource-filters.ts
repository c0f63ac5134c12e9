import type { Endpoint } from "./endpoint.ts";

/** Query parameters that narrow a response to one resource, and what problems call that resource. */
export const resourceFilters = {
  apiId: "API",
  testId: "test",
  testCircleId: "test circle",
  scheduleId: "schedule",
  channelId: "channel",
} as const;
export type ResourceFilter = keyof typeof resourceFilters;

/** The resource filters among the query parameters of an endpoint. */
export function listResourceFilters({ query }: Pick<Endpoint, "query">): ResourceFilter[] {
  const parameters = (query as { shape?: object } | undefined)?.shape ?? {};
  return (Object.keys(resourceFilters) as ResourceFilter[]).filter((name) => name in parameters);
}
