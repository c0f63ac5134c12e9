import { withOrganization } from "../../kit/database/organization-scope.ts";
import type { Identity } from "../../kit/identity/identity.ts";

/**
 * Writes one server-sent event and waits until the client has read enough to take another; changes until then are part of
 * the next event. Returns false once the client has disconnected.
 */
export type SendEvent = (event: string, value: unknown) => Promise<boolean>;

/** Proxies close silent connections after a minute or less. */
const keepAliveMilliseconds = 15_000;

/** Limit of this process's buffer, which one event may exceed. Sockets buffer more. */
const bufferedBytes = 64 * 1_024;
/** A client that reads nothing for this long is disconnected; a browser reconnects by itself. */
const stalledMilliseconds = 60_000;

/** A connected browser reconnects after this time: its token may have been renewed meanwhile. */
const retryMilliseconds = 500;

/**
 * Responds with server-sent events until `produce` ends, the client disconnects, the caller's session or token ends, or
 * the service stops. `produce` gets a signal for all but the first.
 */
export function streamEvents(
  { request, caller }: { request: Request; caller: Identity },
  stopping: AbortSignal,
  produce: (send: SendEvent, signal: AbortSignal) => Promise<void>,
  stallMilliseconds = stalledMilliseconds,
): Response {
  const deleted = new AbortController();
  const signal = AbortSignal.any([request.signal, stopping, deleted.signal]);
  const encoder = new TextEncoder();
  /** Called when the client has read. */
  let onRead = () => {};
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      let open = true;
      const write = (text: string): boolean => {
        if (!open || signal.aborted) return false;
        controller.enqueue(encoder.encode(text));
        return true;
      };
      // The first bytes are sent at once, so that the client knows it is connected.
      write(`retry: ${retryMilliseconds}\n: connected\n\n`);
      const isAhead = () => (controller.desiredSize ?? 0) <= 0;
      const keepAlive = setInterval(() => isAhead() || write(": still here\n\n"), keepAliveMilliseconds);
      const end = () => {
        if (!open) return;
        open = false;
        clearInterval(keepAlive);
        stopWatching();
        onRead();
        try {
          controller.close();
        } catch {
          // The client had cancelled the stream.
        }
      };
      const stopWatching = caller.onOutdated(() => deleted.abort());
      signal.addEventListener("abort", end);
      const send: SendEvent = async (event, value) => {
        if (!write(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`)) return false;
        while (open && isAhead()) {
          const stalled = setTimeout(() => deleted.abort(), stallMilliseconds);
          await new Promise<void>((resolve) => {
            onRead = resolve;
          });
          clearTimeout(stalled);
        }
        return open;
      };
      // It continues after the call, still for the caller's organization.
      withOrganization(caller.organizationId, () => produce(send, signal)).then(end, end);
    },
    pull() {
      onRead();
    },
    cancel() {
      deleted.abort();
    },
  };
  const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: bufferedBytes }));
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      // Nginx would buffer the events otherwise.
      "x-accel-buffering": "no",
    },
  });
}
