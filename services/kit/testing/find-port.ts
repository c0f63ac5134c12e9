import { type AddressInfo, createServer } from "node:net";

/** A port of loopback that was free a moment ago, for a program that is told its port. */
export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
