import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/session/guards";
import { passReport } from "./passed-report.server";

/** A run's report as a file. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const runId = params.runId!;
  const { reportRun } = viewer.backend.testExecutioner;
  return await passReport(request, `run-${runId}`, (accept) =>
    reportRun({ params: { runId }, headers: { accept }, signal: request.signal }),
  );
}
