import { once } from "node:events";
import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** One request that reached the server, and its response. */
export interface Recorded {
  method: string;
  /** Path and query as sent. */
  path: string;
  body: string;
  status: number;
  location: string | undefined;
  responseBody: string;
}

export interface RecordingProxy {
  origin: string;
  /** In the order in which they arrived. */
  requests: Recorded[];
  stop(): Promise<void>;
}

const maxRecordedCharacters = 1_000_000;

/** A server in front of another one that forwards everything unchanged, and notes it. */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const { host, hostname, port } = new URL(target);
  const requests: Recorded[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = "", url = "", rawHeaders } = incoming;
    const recorded = { method, path: url, body: "", status: 0, location: undefined, responseBody: "" } as Recorded;
    requests.push(recorded);
    const headers = withHost(rawHeaders, host);
    const forwarded = send({ hostname, port, method, path: url, headers }, (response) => {
      recorded.status = response.statusCode ?? 0;
      recorded.location = response.headers.location;
      outgoing.writeHead(recorded.status, response.statusMessage, response.rawHeaders);
      record(response, (text) => {
        recorded.responseBody += text;
      });
      response.pipe(outgoing);
      response.on("error", () => outgoing.destroy());
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    record(incoming, (text) => {
      recorded.body += text;
    });
    incoming.pipe(forwarded);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Servers compare it with their own, or build addresses with it. */
function withHost(rawHeaders: string[], host: string): string[] {
  return rawHeaders.map((part, index) =>
    rawHeaders[index - 1]?.toLowerCase() === "host" && index % 2 === 1 ? host : part,
  );
}

function record(message: IncomingMessage, add: (text: string) => void): void {
  let length = 0;
  message.on("data", (chunk: Buffer) => {
    if (length < maxRecordedCharacters) add(chunk.toString("utf8"));
    length += chunk.length;
  });
}
