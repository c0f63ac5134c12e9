import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import {
  createEgress,
  type EgressOptions,
  type ExplainingEgress,
  type OutboundRequest,
  type Resolver,
} from "../egress.ts";

export interface Target {
  port: number;
  origin: string;
  /** TCP connections accepted so far: a handshake alone is already a port scan. */
  connections(): number;
  sockets: Set<Socket>;
}

/** An HTTP server on 127.0.0.1, closed when the test ends. */
export function startHttpTarget(listener: RequestListener): Promise<Target> {
  return start(createHttpServer(listener));
}

/** A server with raw access to its sockets. */
export function startRawTarget(onConnection: (socket: Socket) => void): Promise<Target> {
  return start(createTcpServer(onConnection));
}

/** Answers every request head with the same bytes, on connections that stay open. */
export function startScriptedTarget(response: string | Buffer, thenEnd = false): Promise<Target> {
  return startRawTarget((socket) => {
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (!received.includes("\r\n\r\n")) return;
      received = "";
      socket.write(response);
      if (thenEnd) socket.end();
    });
  });
}

export async function start(server: Server, host = "127.0.0.1", scheme = "http"): Promise<Target> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.prependListener("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `${scheme}://127.0.0.1:${port}`, connections: () => connections, sockets };
}

/** An egress that is closed when the test ends; allows loopback unless configured otherwise. */
export function openEgress(options: Partial<EgressOptions["policy"]> & { resolve?: Resolver } = {}): ExplainingEgress {
  const { resolve, ...policy } = options;
  const egress = createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [], ...policy }, resolve });
  onTestFinished(() => egress.close());
  return egress;
}

/** A resolver that knows a few names and records its queries. */
export function resolveNames(names: Record<string, string[]>): { resolve: Resolver; queries: string[] } {
  const queries: string[] = [];
  return {
    queries,
    async resolve(hostname) {
      queries.push(hostname);
      const addresses = names[hostname];
      if (addresses === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
      return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
  };
}

/** A GET that follows no redirect and times out after ten seconds. */
export function request(url: string, changes: Partial<OutboundRequest> = {}): OutboundRequest {
  return { url, method: "GET", headers: [], timeoutMilliseconds: 10_000, maxRedirects: 0, ...changes };
}
