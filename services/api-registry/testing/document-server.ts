import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP server that serves one document with an entity tag, and answers conditional requests. */
export async function startDocumentServer(document: object) {
  const state = {
    text: JSON.stringify(document),
    /** Answers with this status instead. */
    status: undefined as number | undefined,
    /** Redirects there instead. */
    location: undefined as string | undefined,
    /** Whether it has entity tags at all. */
    hasTags: true,
  };
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    const etag = `"${createHash("sha256").update(state.text).digest("hex").slice(0, 12)}"`;
    const respond = (status: number, headers: Record<string, string>, body?: string) => {
      statuses.push(status);
      response.writeHead(status, headers).end(body);
    };
    if (state.location) return respond(302, { location: state.location });
    if (state.status) return respond(state.status, {});
    const headers: Record<string, string> = state.hasTags ? { etag } : {};
    if (state.hasTags && request.headers["if-none-match"] === etag) return respond(304, headers);
    respond(200, { ...headers, "content-type": "application/json" }, state.text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/openapi.json`,
    state,
    /** Of all responses, in order. */
    statuses,
    serve(changed: object) {
      state.text = JSON.stringify(changed);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
