import type { LoaderFunctionArgs } from "@remix-run/node";
import { streamed } from "~/backend/streamed";
import { requireViewer } from "~/session/guards";

/** Progress of all executions of an API, passed on from the executioner as it comes. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  return streamed(await viewer.backend.testExecutioner.watchApi({ params: { apiId }, signal: request.signal }));
}
