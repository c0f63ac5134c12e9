import { Cache } from "#libraries/cache/cache.ts";
import type { Backend } from "~/backend/backend";

/** No page is delayed for longer: the count is only a hint in the navigation. */
const maxWaitMilliseconds = 300;

/**
 * The number of open incidents, for the navigation of every page. One query of an index, at most every 10 seconds per
 * user; what the user changes is counted again with the next page.
 */
export function createIncidentCounts() {
  const counts = new Cache<Promise<number | undefined>>({ maxSize: 10_000, maxAgeMilliseconds: 10_000 });
  return {
    async count(viewerId: string, backend: Backend): Promise<number | undefined> {
      const known = counts.get(viewerId) ?? readCount(backend);
      if (!counts.get(viewerId)) counts.set(viewerId, known);
      return await Promise.race([known, nothingAfter(maxWaitMilliseconds)]);
    },
    forget: (viewerId: string) => counts.delete(viewerId),
  };
}
export type IncidentCounts = ReturnType<typeof createIncidentCounts>;

/** Undefined while the service is unavailable. */
async function readCount({ testAnalyzer }: Backend): Promise<number | undefined> {
  try {
    const page = await testAnalyzer.listIncidents({ query: { state: "unresolved", limit: 1 } });
    return page.ok ? page.value.total : undefined;
  } catch {
    return undefined;
  }
}

const nothingAfter = (milliseconds: number) =>
  new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), milliseconds).unref());
