import type { LoaderFunctionArgs } from "@remix-run/node";
import { streamed } from "~/backend/streamed";
import { requireViewer } from "~/session/guards";

/** Changes of one execution, streamed from the executioner. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const executionId = params.testExecutionId!;
  return streamed(
    await viewer.backend.testExecutioner.watchExecution({ params: { executionId }, signal: request.signal }),
  );
}
