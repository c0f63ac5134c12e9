import type { LoaderFunctionArgs } from "@remix-run/node";
import { required } from "~/backend/responses";
import { writeTrendCsv } from "~/features/trends/trend-csv";
import { trendQuery } from "~/features/trends/trend-query";
import { requireViewer } from "~/session/guards";

/** The numbers of a page's trends as a file. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const [apiId, testId, testCircleId] = ["apiId", "testId", "testCircleId"].map(
    (name) => search.get(name) ?? undefined,
  );
  const query = { apiId, testId, testCircleId, ...trendQuery(request, viewer.session) };
  const { range, ...trends } = required(await viewer.backend.testAnalyzer.getTrends({ query }));
  return new Response(writeTrendCsv(trends), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="trends-${range}-${trends.until.slice(0, "2026-04-17".length)}.csv"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
