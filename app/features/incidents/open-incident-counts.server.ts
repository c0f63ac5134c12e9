import { Cache } from "#libraries/cache/cache.ts";
import type { Backend } from "~/backend/backend";

const freshMilliseconds = 10_000;

interface Count {
  readAt: number;
  reading: Promise<number | undefined>;
  /** The last one that was read, for a page that waits no longer. */
  latest: number | undefined;
}

/**
 * The number of open incidents, for the navigation of every page. One query of an index, at most every 10 seconds per
 * user; what the user changes is counted again with the next page.
 * @param maxWaitMilliseconds no page is delayed for longer: the count is only a hint
 */
export function createIncidentCounts(maxWaitMilliseconds: number) {
  const counts = new Cache<Count>({ maxSize: 10_000 });

  function startReading(viewerId: string, backend: Backend, latest: number | undefined): Count {
    const count: Count = { readAt: performance.now(), latest, reading: Promise.resolve(undefined) };
    count.reading = readCount(backend).then((found) => {
      count.latest = found;
      return found;
    });
    counts.set(viewerId, count);
    return count;
  }

  return {
    async count(viewerId: string, backend: Backend): Promise<number | undefined> {
      const known = counts.get(viewerId);
      const isFresh = known && performance.now() - known.readAt < freshMilliseconds;
      const count = isFresh ? known : startReading(viewerId, backend, known?.latest);
      return await Promise.race([count.reading, pause(maxWaitMilliseconds).then(() => count.latest)]);
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

const pause = (milliseconds: number) => new Promise<void>((resolve) => void setTimeout(resolve, milliseconds).unref());
