import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy between a process and its database, to simulate failures. */
export interface TcpProxy {
  /** The database's address through the proxy. */
  url: string;
  /** Closes every connection and refuses new ones. */
  refuse(): Promise<void>;
  /** Accepts data and forwards nothing, without an error: a pulled cable. */
  stall(): void;
  /** Forwards new connections again. Stalled ones never recover, as behind a firewall that forgot them. */
  forward(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isStalled = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (isStalled) return;
    const far = connect(Number(target.port || 5432), target.hostname);
    keep(far);
    near.pipe(far);
    far.pipe(near);
    near.once("close", () => far.destroy());
    far.once("close", () => near.destroy());
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  // Without a second socket.
  url.searchParams.delete("host");
  const refuse = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    refuse,
    stall() {
      isStalled = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    async forward() {
      isStalled = false;
      if (!server.listening) await listen(port);
    },
    stop: refuse,
  };
}
