import type { LoaderFunctionArgs } from "@remix-run/node";
import { streamed } from "~/backend/streamed";
import { requireViewer } from "~/session/guards";

/** Changes of a run, passed on from the executioner as they come. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const runId = params.runId!;
  return streamed(await viewer.backend.testExecutioner.watchRun({ params: { runId }, signal: request.signal }));
}
