import { available } from "~/backend/responses";
import type { Viewer } from "~/session/guards";

const maxDisplayed = 5;

/** Open incidents, most severe first: of an API, of a circle, or of all. Undefined while the service is unavailable. */
export async function findOpenIncidents(
  { backend: { testAnalyzer } }: Viewer,
  of: { apiId?: string; testCircleId?: string } = {},
) {
  const page = available(
    await testAnalyzer.listIncidents({
      query: { ...of, state: "unresolved", sort: "severity", limit: maxDisplayed },
    }),
  );
  return (
    page && {
      incidents: page.items,
      total: page.total ?? 0,
      of,
      now: new Date().toISOString(),
    }
  );
}
export type FoundIncidents = NonNullable<Awaited<ReturnType<typeof findOpenIncidents>>>;
