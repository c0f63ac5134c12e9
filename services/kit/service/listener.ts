import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { StartRefused } from "./start-refused.ts";

export interface Listener {
  port: number;
  /** Refuses new connections at once and resolves when the requests under way are answered. */
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  /** 0 for any free one. */
  port: number;
  /** Requests still under way after `close` are cut off when this time is up. Default 25 s. */
  graceMilliseconds?: number;
}

/** Browsers open connections ahead of need; one that has said nothing by then is not waited for. */
const silenceMilliseconds = 200;

const reasons: Record<string, (options: ListenOptions) => string> = {
  EADDRINUSE: ({ host, port }) => `PORT ${port} on ${host} is taken by another program. Set PORT to a free one.`,
  EACCES: ({ port }) => `PORT ${port} is not open to this user. Set PORT to one from 1024 on.`,
  EADDRNOTAVAIL: ({ host }) => `HOST ${host} is no address of this machine.`,
  ENOTFOUND: ({ host }) => `HOST ${host} is no address of this machine.`,
};

/**
 * Serves requests over HTTP/1.1.
 * @throws StartRefused naming PORT or HOST when nobody may listen there
 */
export async function listen(
  fetch: Parameters<typeof getRequestListener>[0],
  options: ListenOptions,
): Promise<Listener> {
  const handle = getRequestListener(fetch, { overrideGlobalObjects: false });
  const underWay = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  let closing = false;
  const server = createServer((incoming, outgoing) => {
    underWay.add(outgoing);
    // Told "connection: close", a client opens its next request elsewhere instead of losing it here.
    if (closing) outgoing.shouldKeepAlive = false;
    outgoing.once("close", () => {
      underWay.delete(outgoing);
      // An answer that had begun before could not say so any more: its connection is closed for it.
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
    void handle(incoming, outgoing);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
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
      const tooLong = setTimeout(() => server.closeAllConnections(), options.graceMilliseconds ?? 25_000);
      return new Promise((closed) => {
        server.close(() => {
          clearTimeout(tooLong);
          closed();
        });
      });
    },
  };
}
