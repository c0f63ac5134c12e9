import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Responding = (
  request: IncomingMessage & { text: string },
  response: ServerResponse,
) => void | Promise<void>;

/** An API on loopback that responds as the test defines and records requests. */
export async function startTarget(answering: Responding) {
  const requests: { method: string; url: string; headers: IncomingMessage["headers"]; text: string; bytes: Buffer }[] =
    [];
  let connections = 0;
  let current = answering;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const text = bytes.toString("utf8");
    requests.push({ method: request.method!, url: request.url!, headers: request.headers, text, bytes });
    await current(Object.assign(request, { text }), response);
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    get connections() {
      return connections;
    },
    answer(next: Responding) {
      current = next;
    },
    /** Responses wait until the test releases them. */
    hold() {
      const waiting: (() => void)[] = [];
      current = async (_, response) => {
        await new Promise<void>((resolve) => void waiting.push(resolve));
        response.end("{}");
      };
      return {
        waiting,
        letGo() {
          current = respondJson({});
          for (const go of waiting.splice(0)) go();
        },
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Target = Awaited<ReturnType<typeof startTarget>>;

export const respondJson =
  (value: unknown, status = 200): Responding =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
