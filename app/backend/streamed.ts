import { problemResponse } from "~/backend/responses";
import type { CallResult } from "../../services/kit/client/client.ts";

/** Server-sent events of a service, passed to the browser unchanged and unbuffered. */
export function streamed(result: CallResult<unknown>): Response {
  if (!result.ok) throw problemResponse(result.problem);
  return new Response(result.response.body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      // Without this header nginx buffers the stream.
      "x-accel-buffering": "no",
    },
  });
}
