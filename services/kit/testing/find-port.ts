import { type AddressInfo, createServer } from "node:net";

/** A free port of loopback, for a program that takes its port as an argument. */
export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
