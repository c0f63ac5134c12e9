import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { print } from "./printed.ts";
import { petResponse } from "./suite.ts";

/** The API under test, in its own process; prints its port. */
export function serveTarget(): void {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(petResponse);
  });
  // A connection that the target closes just as a runner reuses it would fail that runner without cause.
  server.keepAliveTimeout = 120_000;
  server.listen(0, "127.0.0.1", () => print(String((server.address() as AddressInfo).port)));
}
