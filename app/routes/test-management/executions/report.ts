import type { LoaderFunctionArgs } from "@remix-run/node";
import { passReport } from "~/features/runs/passed-report.server";
import { requireViewer } from "~/session/guards";
import { requireExecution } from "./require-execution.server";

/** One execution's report as a file. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { id: executionId } = await requireExecution(viewer, params);
  const { reportExecution } = viewer.backend.testExecutioner;
  return await passReport(request, `execution-${executionId}`, (accept) =>
    reportExecution({ params: { executionId }, headers: { accept }, signal: request.signal }),
  );
}
