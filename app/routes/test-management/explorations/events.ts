import type { LoaderFunctionArgs } from "@remix-run/node";
import { streamed } from "~/backend/streamed";
import { requireViewer } from "~/session/guards";

/** Progress of an exploration, streamed from the executioner. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return streamed(
    await viewer.backend.testExecutioner.watchExploration({
      params: { explorationId: params.explorationId! },
      signal: request.signal,
    }),
  );
}
