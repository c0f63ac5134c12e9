import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface FailingService {
  origin: string;
  /** Status of every response from now on; 0 closes the connection without a response. */
  respondWith(status: number): void;
  /** Of the received calls, newest last. */
  requestIds: unknown[];
  stop(): Promise<void>;
}

const codes: Record<number, string> = { 401: "unauthenticated", 403: "forbidden", 500: "internal_error" };

/** Stands in for a remote service that refuses every call in the same way. */
export async function startFailingService(): Promise<FailingService> {
  let status = 500;
  const requestIds: unknown[] = [];
  const server = createServer((request, response) => {
    requestIds.push(request.headers["x-request-id"]);
    if (status === 0) return response.destroy();
    const problem = { type: "about:blank", title: "Refused", status, code: codes[status], detail: "secret detail" };
    response.writeHead(status, { "content-type": "application/problem+json" });
    response.end(JSON.stringify(problem));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestIds,
    respondWith(next) {
      status = next;
    },
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
