import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FaultyApi {
  documentUrl: string;
  /** Received requests without the document's, `POST /books {"title":5}`. */
  requests: string[];
  /** Books that exist. */
  books: Map<number, object>;
  stop(): Promise<void>;
}

const ok = { description: "As requested" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const text = { type: "string", minLength: 1 };
const book = {
  type: "object",
  required: ["title"],
  properties: { title: text, pages: { type: "integer", minimum: 1 }, state: { type: "string", enum: ["new", "old"] } },
};
const stored = {
  type: "object",
  required: ["id", "title"],
  properties: { id: { type: "integer" }, ...book.properties },
};
const id = { name: "bookId", in: "path", required: true, schema: { type: "integer" } };
const limit = { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100 } };

const documentFor = (origin: string) => ({
  openapi: "3.0.3",
  info: { title: "Faulty", version: "1" },
  servers: [{ url: origin }],
  paths: {
    "/books": {
      get: { parameters: [limit], responses: { 200: { ...ok, ...json({ type: "array", items: stored }) }, 400: ok } },
      post: { requestBody: { required: true, ...json(book) }, responses: { 201: { ...ok, ...json(stored) }, 400: ok } },
    },
    "/books/{bookId}": {
      parameters: [id],
      get: { responses: { 200: { ...ok, ...json(stored) }, 400: ok, 404: ok } },
      delete: { responses: { 204: ok, 404: ok } },
    },
  },
});

/**
 * A server that takes any title, fails on a limit that is no number, and takes a PUT for a GET, whatever its document says.
 * It keeps to the rest.
 * One book is there before.
 */
export async function startFaultyApi(): Promise<FaultyApi> {
  const books = new Map<number, object>([[1, { id: 1, title: "Existing" }]]);
  const requests: string[] = [];
  let [origin, last] = ["", 1];

  function create(body: string): [status: number, body?: object] {
    const { title, pages, state } = JSON.parse(body) as { title?: unknown; pages?: unknown; state?: unknown };
    const isWrong =
      title === undefined ||
      title === null ||
      (pages !== undefined && !(Number.isInteger(pages) && Number(pages) >= 1)) ||
      (state !== undefined && state !== "new" && state !== "old");
    if (isWrong) return [400];
    last += 1;
    const made = { id: last, title: String(title), ...(pages ? { pages } : {}), ...(state ? { state } : {}) };
    books.set(last, made);
    return [201, made];
  }

  function answer(method: string, url: string, body: string): [status: number, body?: object] {
    const { pathname, searchParams } = new URL(url, origin);
    const [, found] = /^\/books\/([^/]+)$/.exec(pathname) ?? [];
    if (pathname === "/books" && method === "GET") {
      const given = searchParams.get("limit");
      if (given !== null && !/^-?\d+$/.test(given)) return [500];
      return given !== null && (Number(given) < 1 || Number(given) > 100) ? [400] : [200, [...books.values()]];
    }
    if (pathname === "/books" && method === "POST") {
      try {
        return create(body);
      } catch {
        return [400];
      }
    }
    if (found === undefined) return [404];
    if (!/^\d+$/.test(found)) return [400];
    const known = books.get(Number(found));
    if (!known) return [404];
    if (method === "DELETE") books.delete(Number(found));
    return method === "DELETE" ? [204] : [200, known];
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    let body = "";
    for await (const chunk of request) body += chunk;
    const isDocument = url === "/openapi.json";
    if (!isDocument) requests.push(`${method} ${url} ${body}`.trim());
    const isJson = method !== "POST" || request.headers["content-type"] === "application/json";
    const [status, sent] = isDocument ? [200, documentFor(origin)] : isJson ? answer(method, url, body) : [400];
    response.writeHead(status, sent ? { "content-type": "application/json" } : {}).end(sent && JSON.stringify(sent));
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ documentUrl: `${origin}/openapi.json`, requests, books },
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
