import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { StartRefused } from "./start-refused.ts";

type Fetch = Parameters<typeof getRequestListener>[0];

export interface Listener {
  port: number;
  /** Refuses new connections immediately and resolves when pending requests have been answered. */
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** The variable that names the port, for error messages. Default PORT. */
  portVariable?: string;
  /** Requests still pending this long after `close` are cut off. Default 25 s. */
  graceMilliseconds?: number;
  /** Concurrent connections; one more closes the most idle one. Default 2,000. */
  maximumConnections?: number;
  /** From the start of a connection or request until its headers are complete. Default 15 s. */
  headersMilliseconds?: number;
  /** A body without progress for this long is abandoned. Default 20 s. */
  stallMilliseconds?: number;
}

/**
 * Until a request is complete, however steadily it drips: 80 MB at 2 Mbit/s. Responses are not limited: an event
 * stream may be long-lived.
 */
const requestMilliseconds = 300_000;
/** Longer than that of proxies (nginx 60 s, Traefik 90 s), which could otherwise reuse a connection that is closing. */
const keepAliveMilliseconds = 95_000;

/** Browsers open connections in advance; one that has sent nothing after this long is not waited for. */
const silenceMilliseconds = 200;

const reasons: Record<string, (options: ListenOptions) => string> = {
  EADDRINUSE: ({ host, port, portVariable: name = "PORT" }) =>
    `${name} ${port} on ${host} is taken by another program. Set ${name} to a free one.`,
  EACCES: ({ port, portVariable: name = "PORT" }) =>
    `${name} ${port} is not open to this user. Set ${name} to one from 1024 on.`,
  EADDRNOTAVAIL: ({ host }) => `HOST ${host} is no address of this machine.`,
  ENOTFOUND: ({ host }) => `HOST ${host} is no address of this machine.`,
};

/**
 * Serves requests over HTTP/1.1.
 * @throws StartRefused naming PORT or HOST when it is not possible to listen there
 */
export async function listen(fetch: Fetch, options: ListenOptions): Promise<Listener> {
  const handle = getRequestListener(afterWholeRequest(fetch), { overrideGlobalObjects: false });
  const {
    maximumConnections = 2_000,
    headersMilliseconds = 15_000,
    stallMilliseconds = 20_000,
    graceMilliseconds = 25_000,
  } = options;
  const pending = new Set<ServerResponse>();
  /** Least recently active first. */
  const sockets = new Set<Socket>();
  /** Sockets with a pending request. */
  const busy = new Set<Socket>();
  let closing = false;
  const limits = {
    headersTimeout: headersMilliseconds,
    requestTimeout: requestMilliseconds,
    keepAliveTimeout: keepAliveMilliseconds,
    connectionsCheckingInterval: Math.min(1_000, headersMilliseconds),
  };
  function respond(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    pending.add(outgoing);
    busy.add(socket);
    endWhenStalled(incoming, stallMilliseconds);
    // With "connection: close", a client opens its next request elsewhere instead of losing it here.
    if (closing) outgoing.shouldKeepAlive = false;
    outgoing.once("close", () => {
      pending.delete(outgoing);
      busy.delete(socket);
      // Moved to the end: most recently active.
      if (sockets.delete(socket) && !socket.destroyed) sockets.add(socket);
      // A response that had already begun could not announce it, so its connection is closed afterwards.
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
    void handle(incoming, outgoing);
  }
  const server = createServer(limits, respond);
  // Expect: 100-continue is confirmed once the body is read, so a refused body is never sent.
  server.on("checkContinue", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    waiting.add(incoming);
    incoming.once("resume", () => {
      waiting.delete(incoming);
      if (!outgoing.headersSent) outgoing.writeContinue();
    });
    respond(incoming, outgoing);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      busy.delete(socket);
    });
    if (sockets.size > maximumConnections) findIdlest(sockets, busy).destroy();
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ""];
      failed(reason ? new StartRefused(reason(options), { cause: error }) : error);
    });
    server.listen(options.port, options.host, listening);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      closing = true;
      for (const outgoing of pending) if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
      setTimeout(() => {
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }, silenceMilliseconds).unref();
      const tooLong = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
      return new Promise((closed) => {
        server.close(() => {
          clearTimeout(tooLong);
          closed();
        });
      });
    },
  };
}

/** A client that floods idle connections loses its own first; when all are in use, the newest is closed. */
function findIdlest(sockets: Set<Socket>, busy: Set<Socket>): Socket {
  let newest: Socket | undefined;
  for (const socket of sockets) {
    if (!busy.has(socket)) return socket;
    newest = socket;
  }
  return newest!;
}

/** Requests whose sender waits for 100 Continue. */
const waiting = new WeakSet<IncomingMessage>();

/**
 * Responds after the complete request has arrived, even if its body was not read: browsers read the response only
 * after sending everything, and display their own error when the connection ended before. Unread bytes are discarded,
 * with the usual time limits of a body.
 */
function afterWholeRequest(handle: Fetch): Fetch {
  return (request, env) => {
    const { incoming, outgoing } = env as HttpBindings;
    if (incoming.method === "GET" || incoming.method === "HEAD") return handle(request, env);
    return Promise.resolve(handle(request, env)).then(async (response) => {
      if (waiting.has(incoming)) outgoing.shouldKeepAlive = false;
      else if (!incoming.complete) await drain(incoming);
      return response;
    });
  };
}

function drain(incoming: IncomingMessage): Promise<void> {
  return new Promise((over) => {
    // An unread web stream over it pauses it on every chunk.
    incoming.removeAllListeners("data");
    incoming.once("end", over).once("close", over);
    incoming.resume();
  });
}

/** Closes the connection of a request whose declared body does not arrive. */
function endWhenStalled(incoming: IncomingMessage, stallMilliseconds: number): void {
  const { socket } = incoming;
  let bytesRead = socket.bytesRead;
  const interval = setInterval(() => {
    // An unread request never emits its end, but is known to be complete.
    if (incoming.complete) clearInterval(interval);
    else if (socket.bytesRead === bytesRead) socket.destroy();
    bytesRead = socket.bytesRead;
  }, stallMilliseconds);
  interval.unref();
  incoming.once("close", () => clearInterval(interval));
}
