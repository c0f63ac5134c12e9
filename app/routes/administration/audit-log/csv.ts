import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer, type Viewer } from "~/session/guards";
import { findNames } from "./known-names.server";
import { nameRecord } from "./named-record";
import { csvHeader, writeRecordCsv } from "./record-csv";
import { type AuditFilters, findRecords, readFilters } from "./records.server";

const recordsAtOnce = 200;

/** The records that match the page's filters, as a file streamed while it is read. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { backend, may } = viewer;
  const filters = readFilters(new URL(request.url).searchParams, may("system:manage"));
  const until = new Date();
  // The first page is requested before the response starts, so that a refusal gets its own status.
  const first = await findRecords(backend, filters, { beforeId: undefined, limit: recordsAtOnce, until });
  return new Response(getStream(toLines(viewer, filters, until, first)), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="audit-log-${until.toISOString().slice(0, "2026-04-17".length)}.csv"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}

async function* toLines(
  viewer: Viewer,
  filters: AuditFilters,
  until: Date,
  first: Awaited<ReturnType<typeof findRecords>>,
) {
  yield csvHeader;
  for (let page = first; ; ) {
    const names = await findNames(viewer, page.records);
    yield writeRecordCsv(page.records.map((record) => nameRecord(record, names)));
    if (!page.lastId) return;
    page = await findRecords(viewer.backend, filters, { beforeId: page.lastId, limit: recordsAtOnce, until });
  }
}

/** Reads only as fast as the client takes the file. */
function getStream(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}
