import { type TrendRange, trendRanges } from "#contracts/test-analyzer/trends.ts";
import type { AuthSession } from "~/session/stored-session";
import { getTimeZone } from "~/session/time-zone";

/** The range of a page's trends, parsed from its address, in the viewer's zone. */
export function trendQuery(request: Request, session: AuthSession): { range: TrendRange; timeZone: string } {
  const requested = new URL(request.url).searchParams.get("range");
  return { range: trendRanges.find((range) => range === requested) ?? "7d", timeZone: getTimeZone(request, session) };
}
