import type { LoaderFunctionArgs } from "@remix-run/node";
import { passReport } from "~/features/runs/passed-report.server";
import { requireViewer } from "~/session/guards";

/** A run's report as a file. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const runId = params.runId!;
  const { reportRun } = viewer.backend.testExecutioner;
  return await passReport(request, `run-${runId}`, (accept) =>
    reportRun({ params: { runId }, headers: { accept }, signal: request.signal }),
  );
}
