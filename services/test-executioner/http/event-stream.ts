/** Writes one server-sent event. Answers false when nobody listens any more. */
export type SendEvent = (event: string, value: unknown) => boolean;

/** Proxies close silent connections after a minute or less. */
const keepAliveMilliseconds = 15_000;

/**
 * Answers server-sent events until `produce` ends, the client goes away or the service stops.
 * `produce` gets a signal for the latter two.
 */
export function answerEvents(
  request: Request,
  stopping: AbortSignal,
  produce: (send: SendEvent, signal: AbortSignal) => Promise<void>,
): Response {
  const gone = new AbortController();
  const signal = AbortSignal.any([request.signal, stopping, gone.signal]);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let open = true;
      const write = (text: string): boolean => {
        if (!open || signal.aborted) return false;
        controller.enqueue(encoder.encode(text));
        return true;
      };
      // The first bytes at once, so that the client knows it is connected.
      write(": connected\n\n");
      const keepAlive = setInterval(() => write(": still here\n\n"), keepAliveMilliseconds);
      const end = () => {
        if (!open) return;
        open = false;
        clearInterval(keepAlive);
        try {
          controller.close();
        } catch {
          // The client had cancelled the stream.
        }
      };
      signal.addEventListener("abort", end);
      produce((event, value) => write(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`), signal).then(end, end);
    },
    cancel() {
      gone.abort();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      // Nginx would collect the events otherwise.
      "x-accel-buffering": "no",
    },
  });
}
