import type { LoaderFunctionArgs } from "@remix-run/node";
import type { StatusSubscriber } from "#contracts/test-analyzer/status-subscribers.ts";
import { required } from "~/backend/responses";
import type { CircleParams } from "~/features/circles/circle-addresses";
import { requireViewer } from "~/session/guards";

/** The confirmed subscribers of a status page as a file (RFC 4180). */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const location = params as CircleParams;
  required(await viewer.backend.testRegistry.getCircle({ params: location }));
  const subscribers: StatusSubscriber[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 200, cursor };
    const page = required(await viewer.backend.testAnalyzer.listStatusSubscribers({ params: location, query }));
    subscribers.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  const lines = subscribers.map(({ email, confirmedAt }) => `${cell(email)},${confirmedAt}\r\n`);
  return new Response(["email,confirmed_at\r\n", ...lines].join(""), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="subscribers.csv"',
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}

/** An address may begin with what a spreadsheet takes for a formula. */
function cell(email: string): string {
  const text = /^[=+\-@]/.test(email) ? `'${email}` : email;
  return `"${text.replaceAll('"', '""')}"`;
}
