import { available } from "~/backend/responses";
import type { Viewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";

const maxDisplayed = 5;

/** Open incidents, most severe first: of an API, of a circle, or of all. Undefined while the service is unavailable. */
export async function findOpenIncidents(
  { backend: { testAnalyzer }, session }: Viewer,
  request: Request,
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
      timeZone: getTimeZone(request, session),
      now: new Date().toISOString(),
    }
  );
}
export type FoundIncidents = NonNullable<Awaited<ReturnType<typeof findOpenIncidents>>>;
