import type { LoaderFunctionArgs } from "@remix-run/node";
import { streamed } from "~/backend/streamed";
import { requireViewer } from "~/session/guards";

/** Changes of a run, streamed from the executioner. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const [from, to] = ["from", "to"].map((name) => search.get(name) || undefined);
  return streamed(
    await viewer.backend.testExecutioner.watchRun({
      params: { runId: params.runId! },
      query: { from, to },
      signal: request.signal,
    }),
  );
}
