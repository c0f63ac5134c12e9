import { type TrendRange, trendRanges } from "#contracts/test-analyzer/trends.ts";
import type { AuthSession } from "~/session/stored-session";
import { getTimeZone } from "~/session/time-zone";

/** The range of a page's trends, if its address names one, in the viewer's zone. */
export function trendQuery(
  request: Request,
  session: AuthSession,
): { range: TrendRange | undefined; timeZone: string } {
  const requested = new URL(request.url).searchParams.get("range");
  return { range: trendRanges.find((range) => range === requested), timeZone: getTimeZone(request, session) };
}
