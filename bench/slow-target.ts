import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * An API that takes this long to respond, for a process of its own, so that its processor time does not count as what is
 * measured. Prints its port.
 */
export function serveSlowTarget(latencyMilliseconds: number): void {
  const server = createServer((_, response) => {
    setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end("{}"), latencyMilliseconds);
  });
  server.keepAliveTimeout = 120_000;
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
}
