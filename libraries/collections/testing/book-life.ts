import { createServer, type IncomingMessage, type Server } from "node:http";
import type { CollectedRequest, Collection } from "../collection.ts";

const pair = (name: string, value: string) => ({ name, value, enabled: true });

function request(id: string, rest: Partial<CollectedRequest>): CollectedRequest {
  return {
    ...{ id, file: "", line: 0, name: id, folders: [], description: "", enabled: true },
    ...{ method: "GET", url: "{{baseUrl}}/books", pathParameters: [], query: [], headers: [], cookies: [] },
    ...{ body: { kind: "none" }, authorization: { kind: "bearer", secret: "{{shop_token}}" } },
    ...{ followRedirects: false, timeoutMilliseconds: undefined, retries: undefined, assertions: [], captures: [] },
    ...rest,
  };
}

const status = (target: number) => ({ source: "statusCode", property: undefined, comparison: "equals", target });
const json = (property: string, comparison: string, target?: unknown) => ({
  ...{ source: "jsonPath", property, comparison, target },
});

/** The life of a book: made, found, read and deleted, with values handed on and texts that need care. */
export function createBookLife(baseUrl: string): Collection {
  const one = { url: "{{baseUrl}}/books/{bookId}", pathParameters: [pair("bookId", "{{bookId}}")] };
  const operation = (path: string, operationId?: string) => ({
    document: "Books",
    path,
    ...(operationId ? { operationId } : {}),
  });
  return {
    name: "Life of a book",
    description: "Creates a book and reads it.",
    variables: [
      { name: "title", value: `It's "100 %" & more`, secret: false },
      { name: "shop_token", value: "never-written", secret: true },
    ],
    environments: [{ name: "staging", variables: [{ name: "baseUrl", value: baseUrl, secret: false }] }],
    documents: [{ name: "Books", url: "books.openapi.yaml" }],
    requests: [
      request("create", {
        name: "Creates a book",
        method: "POST",
        body: {
          kind: "json",
          mediaType: "application/json",
          text: '{ "title": "Dune #1; it\'s `fine`", "pages": 604, "isbn": "{{$uuid}}" }',
        },
        headers: [pair("X-Note", "one, two")],
        operation: operation("/books", "createBook"),
        assertions: [
          status(201),
          { source: "header", property: "Content-Type", comparison: "contains", target: "json" },
          json("$.id", "hasType", "string"),
          json("$.pages", "between", [600, 700]),
          json("$.title", "equals", "Dune #1; it's `fine`"),
          {
            source: "schema",
            property: undefined,
            comparison: "matchesSchema",
            target: { type: "object", required: ["id"] },
          },
        ],
        captures: [
          { name: "bookId", source: "jsonPath", property: "$.id", pattern: undefined, secret: false },
          { name: "etag", source: "header", property: "ETag", pattern: '"(.+)"', secret: false },
        ],
      }),
      request("read", {
        name: "Reads the book",
        ...one,
        query: [pair("fields", "id,title"), pair("q", "a&b = c")],
        cookies: [pair("theme", "dark")],
        operation: operation("/books/{bookId}", "getBook"),
        assertions: [
          status(200),
          json("$.id", "equals", "{{bookId}}"),
          json("$.query.q", "equals", "a&b = c"),
          json("$.query.fields", "equals", "id,title"),
          json("$.tags[*]", "contains", "novel"),
          json("$.tags", "lengthEquals", 2),
          json("$.deletedAt", "notExists"),
          json("$.author.name", "matches", "^Frank .*t$"),
          { source: "responseTime", property: undefined, comparison: "lessThan", target: 5000 },
        ],
      }),
      request("find", {
        name: "Finds books by title",
        query: [pair("title", "{{title}}")],
        operation: operation("/books"),
        assertions: [
          { source: "statusCode", property: undefined, comparison: "oneOf", target: [200, 204] },
          json("$.items[?@.pages > 1].id", "exists"),
        ],
      }),
      request("delete", {
        name: "Deletes the book",
        method: "DELETE",
        ...one,
        operation: operation("/books/{bookId}", "deleteBook"),
        headers: [pair("If-Match", "{{etag}}")],
        assertions: [status(204)],
        waitUntil: { everyMilliseconds: 500, atMostMilliseconds: 2000 },
      }),
    ],
    sequences: [
      {
        ...{ file: "", line: 0, name: "Life of a book", description: "", stopOnFailure: false },
        ...{ requests: ["create", "read", "find", "delete"], setUp: 1, tearDown: 1, parallel: false, cookies: true },
      },
    ],
  };
}

export interface BookServer {
  url: string;
  /** Method, path and query, Authorization, and body of each request. */
  seen: { line: string; authorization: string; body: string }[];
  close(): void;
}

/** A server that keeps books in memory and records what it is sent. */
export async function startBookServer(): Promise<BookServer> {
  const seen: BookServer["seen"] = [];
  const books = new Map<string, { pages: number }>();
  const server = createServer(async (incoming, outgoing) => {
    const body = await readBody(incoming);
    const address = new URL(incoming.url!, "http://127.0.0.1");
    const authorization = incoming.headers.authorization ?? "";
    seen.push({ line: `${incoming.method} ${incoming.url}`, authorization, body });
    const send = (code: number, value?: unknown) => {
      outgoing.writeHead(code, { "content-type": "application/json", etag: '"v1"' });
      outgoing.end(value === undefined ? undefined : JSON.stringify(value));
    };
    const id = /^\/books\/(.+)$/.exec(address.pathname)?.[1];
    if (incoming.method === "POST") {
      const made = { id: `book-${books.size + 1}`, ...JSON.parse(body) };
      books.set(made.id, made);
      return send(201, made);
    }
    if (id === undefined)
      return send(200, { items: [...books.values()], query: Object.fromEntries(address.searchParams) });
    if (!books.has(id)) return send(404, {});
    if (incoming.method === "DELETE")
      return send(incoming.headers["if-match"] === "v1" && books.delete(id) ? 204 : 412);
    const author = { name: "Frank Herbert" };
    send(200, { id, tags: ["novel", "desert"], author, query: Object.fromEntries(address.searchParams) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${getPort(server)}`, seen, close: () => server.close() };
}

function getPort(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
