import type { LoaderFunctionArgs } from "@remix-run/node";
import { required } from "~/backend/responses";
import { requireViewer } from "~/session/guards";
import { writeMonthlyCsv } from "./monthly-csv";
import { monthsIn } from "./months";

/** The page's numbers as a file. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const query = { months: monthsIn(request) };
  const { items } = required(await backend.portalService.listMonthlyNumbers({ query }));
  return new Response(writeMonthlyCsv(items), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="monthly-numbers-${items[0]?.month ?? "none"}.csv"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
