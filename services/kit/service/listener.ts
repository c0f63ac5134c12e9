import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { StartRefused } from "./start-refused.ts";

type Fetch = Parameters<typeof getRequestListener>[0];

export interface Listener {
  port: number;
  /** Refuses new connections at once and resolves when the requests under way are answered. */
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  /** 0 for any free one. */
  port: number;
  /** The variable that says the port, for whoever has to change it. Default PORT. */
  portVariable?: string;
  /** Requests still under way after `close` are cut off when this time is up. Default 25 s. */
  graceMilliseconds?: number;
  /** Open at the same time; one more makes the idlest go. Default 2,000. */
  maximumConnections?: number;
  /** From a connection's first moment, or a request's, until its headers are whole. Default 15 s. */
  headersMilliseconds?: number;
  /** A body that brings nothing for so long is not waited for. Default 20 s. */
  stallMilliseconds?: number;
}

/**
 * Until a request is whole, however steadily it drips: 80 MB at 2 Mbit/s. What is answered is not limited: a stream of
 * events may last.
 */
const requestMilliseconds = 300_000;
/** Longer than the proxies' (nginx 60 s, Traefik 90 s), which would else send a request into a connection that is closing. */
const keepAliveMilliseconds = 95_000;

/** Browsers open connections ahead of need; one that has said nothing by then is not waited for. */
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
 * @throws StartRefused naming PORT or HOST when nobody may listen there
 */
export async function listen(fetch: Fetch, options: ListenOptions): Promise<Listener> {
  const handle = getRequestListener(answeringTheWhole(fetch), { overrideGlobalObjects: false });
  const {
    maximumConnections = 2_000,
    headersMilliseconds = 15_000,
    stallMilliseconds = 20_000,
    graceMilliseconds = 25_000,
  } = options;
  const underWay = new Set<ServerResponse>();
  /** In the order in which they were last heard of. */
  const sockets = new Set<Socket>();
  /** Those with a request that is not answered yet. */
  const busy = new Set<Socket>();
  let closing = false;
  const limits = {
    headersTimeout: headersMilliseconds,
    requestTimeout: requestMilliseconds,
    keepAliveTimeout: keepAliveMilliseconds,
    connectionsCheckingInterval: Math.min(1_000, headersMilliseconds),
  };
  function answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    underWay.add(outgoing);
    busy.add(socket);
    endWhenStalled(incoming, stallMilliseconds);
    // Told "connection: close", a client opens its next request elsewhere instead of losing it here.
    if (closing) outgoing.shouldKeepAlive = false;
    outgoing.once("close", () => {
      underWay.delete(outgoing);
      busy.delete(socket);
      // Heard of last: it is put last.
      if (sockets.delete(socket) && !socket.destroyed) sockets.add(socket);
      // An answer that had begun before could not say so any more: its connection is closed for it.
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
    void handle(incoming, outgoing);
  }
  const server = createServer(limits, answer);
  // Who asks before sending a large body is asked for it once somebody reads: what is refused is never sent.
  server.on("checkContinue", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    waiting.add(incoming);
    incoming.once("resume", () => {
      waiting.delete(incoming);
      if (!outgoing.headersSent) outgoing.writeContinue();
    });
    answer(incoming, outgoing);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      busy.delete(socket);
    });
    if (sockets.size > maximumConnections) idlestOf(sockets, busy).destroy();
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
      for (const outgoing of underWay) if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
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

/** Whoever opens connections and says nothing shuts out himself first; when all are in use, the newest goes. */
function idlestOf(sockets: Set<Socket>, busy: Set<Socket>): Socket {
  let newest: Socket | undefined;
  for (const socket of sockets) {
    if (!busy.has(socket)) return socket;
    newest = socket;
  }
  return newest!;
}

/** Requests whose sender waits to be asked for the body. */
const waiting = new WeakSet<IncomingMessage>();

/**
 * Answers once the whole request is here, also where nobody read all of its body: browsers look for an answer when they
 * have sent everything, and show an error of their own where the connection ended before. What comes is thrown away.
 * How long that may take is limited as for any body.
 */
function answeringTheWhole(handle: Fetch): Fetch {
  return (request, env) => {
    const { incoming, outgoing } = env as HttpBindings;
    if (incoming.method === "GET" || incoming.method === "HEAD") return handle(request, env);
    return Promise.resolve(handle(request, env)).then(async (response) => {
      if (waiting.has(incoming)) outgoing.shouldKeepAlive = false;
      else if (!incoming.complete) await readOff(incoming);
      return response;
    });
  };
}

function readOff(incoming: IncomingMessage): Promise<void> {
  return new Promise((over) => {
    // A web stream over it that nobody reads on pauses it with every piece that comes.
    incoming.removeAllListeners("data");
    incoming.once("end", over).once("close", over);
    incoming.resume();
  });
}

/** Ends the connection of a request whose body was declared and does not come. */
function endWhenStalled(incoming: IncomingMessage, stallMilliseconds: number): void {
  const { socket } = incoming;
  let heard = socket.bytesRead;
  const look = setInterval(() => {
    // What nobody reads never comes to its end, but is known to be whole.
    if (incoming.complete) clearInterval(look);
    else if (socket.bytesRead === heard) socket.destroy();
    heard = socket.bytesRead;
  }, stallMilliseconds);
  look.unref();
  incoming.once("close", () => clearInterval(look));
}
