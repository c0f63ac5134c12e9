import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export interface TargetApi {
  /** For example `http://127.0.0.1:41235`. */
  origin: string;
  documentUrl: string;
  /** Of the same shop without a key, and without what is slow: one resource, nothing to ask for. */
  openDocumentUrl: string;
  /** Received requests, newest last. */
  requests: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
  /** Delay of each response, in milliseconds; 0 unless it is set. */
  latency: number;
  stop(): Promise<void>;
}

interface Book {
  id: number;
  title: string;
  pages: number;
  inStock: boolean;
}

type NewBook = Pick<Book, "title" | "pages">;

const books: Book[] = [
  { id: 1, title: "The Dispossessed", pages: 387, inStock: true },
  { id: 2, title: "Invisible Cities", pages: 165, inStock: false },
];

const bookSchema = {
  type: "object",
  required: ["id", "title", "pages", "inStock"],
  properties: {
    id: { type: "integer", example: 1 },
    title: { type: "string", example: "The Dispossessed" },
    pages: { type: "integer", minimum: 1, example: 387 },
    inStock: { type: "boolean", example: true },
  },
} as const;

const problem = {
  description: "No such book",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
};

function documentFor(origin: string) {
  const bookId = { name: "bookId", in: "path", required: true, schema: { type: "integer" }, example: 1 };
  return {
    openapi: "3.0.3",
    info: { title: "Bookshop", version: "1.4.0", description: "Books, and what is left of them." },
    servers: [{ url: origin }],
    tags: [{ name: "books", description: "What is on the shelves" }],
    paths: {
      "/books": {
        get: {
          operationId: "listBooks",
          tags: ["books"],
          summary: "List the books",
          parameters: [
            { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100 }, example: 10 },
          ],
          responses: {
            200: {
              description: "The books",
              content: {
                "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Book" } } },
              },
            },
          },
        },
        post: {
          operationId: "addBook",
          tags: ["books"],
          summary: "Add a book",
          security: [{ shopKey: [] }],
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: "#/components/schemas/NewBook" } } },
          },
          responses: {
            201: {
              description: "The book as stored",
              content: { "application/json": { schema: { $ref: "#/components/schemas/Book" } } },
            },
            401: problem,
            422: problem,
          },
        },
      },
      "/books/{bookId}": {
        get: {
          operationId: "getBook",
          tags: ["books"],
          summary: "Get one book",
          parameters: [bookId],
          responses: {
            200: {
              description: "The book",
              content: { "application/json": { schema: { $ref: "#/components/schemas/Book" } } },
            },
            404: problem,
          },
        },
      },
      "/books/{bookId}/price": {
        get: {
          operationId: "getPrice",
          tags: ["books"],
          summary: "Get the price of a book",
          description: "The shop answers the amount as text although its document promises a number.",
          parameters: [bookId],
          responses: {
            200: {
              description: "The price",
              content: {
                "application/json": {
                  schema: {
                    type: "object",
                    required: ["amount", "currency"],
                    properties: { amount: { type: "number" }, currency: { type: "string" } },
                  },
                },
              },
            },
          },
        },
      },
      "/slow": {
        get: {
          operationId: "getSlow",
          tags: ["books"],
          summary: "Answer after two seconds",
          responses: {
            200: { description: "At last", content: { "application/json": { schema: { type: "object" } } } },
          },
        },
      },
    },
    components: {
      securitySchemes: { shopKey: { type: "apiKey", in: "header", name: "X-Shop-Key" } },
      schemas: {
        Book: bookSchema,
        NewBook: {
          type: "object",
          required: ["title", "pages"],
          properties: { title: bookSchema.properties.title, pages: bookSchema.properties.pages },
        },
        Problem: { type: "object", required: ["message"], properties: { message: { type: "string" } } },
      },
    },
  };
}

function openDocumentFor(origin: string) {
  const { paths, ...document } = documentFor(`${origin}/open`);
  const { "/slow": _slow, "/books": list, ...others } = paths;
  const { security: _key, ...post } = list.post;
  return { ...document, paths: { "/books": { ...list, post }, ...others } };
}

function respond(response: ServerResponse, status: number, value: unknown) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

interface Shop {
  origin: string;
  /** Books that were added, which the list of the first ones omits. */
  added: Book[];
}

function route(request: IncomingMessage, response: ServerResponse, body: string, { origin, added }: Shop) {
  const { pathname: path } = new URL(request.url ?? "/", origin);
  const isOpen = path.startsWith("/open/");
  const pathname = isOpen ? path.slice("/open".length) : path;
  const [, id, rest] = /^\/books\/(\d+)(\/price)?$/.exec(pathname) ?? [];
  const book = [...books, ...added].find((candidate) => candidate.id === Number(id));
  if (pathname === "/openapi.json")
    return respond(response, 200, isOpen ? openDocumentFor(origin) : documentFor(origin));
  if (pathname === "/books" && request.method === "GET") return respond(response, 200, books);
  if (pathname === "/books" && request.method === "POST") {
    if (!isOpen && !request.headers["x-shop-key"]) return respond(response, 401, { message: "Send the shop's key." });
    // The key is echoed, as careless services do: it must never appear in the portal.
    response.setHeader("x-seen-key", String(request.headers["x-shop-key"]));
    const book = { id: books.length + added.length + 1, inStock: true, ...(JSON.parse(body) as NewBook) };
    added.push(book);
    return respond(response, 201, book);
  }
  if (book && rest) return respond(response, 200, { amount: "12.50", currency: "EUR" });
  if (book) return respond(response, 200, book);
  if (pathname === "/slow") return setTimeout(() => respond(response, 200, {}), 2_000);
  return respond(response, 404, { message: "No such book." });
}

/** A real HTTP API on loopback that describes itself at `/openapi.json`, and violates one of its promises. */
export async function startTargetApi(): Promise<TargetApi> {
  const requests: TargetApi["requests"] = [];
  const added: Book[] = [];
  let origin = "";
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    await pause(target.latency);
    route(request, response, body, { origin, added });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const target: TargetApi = {
    origin,
    documentUrl: `${origin}/openapi.json`,
    openDocumentUrl: `${origin}/open/openapi.json`,
    requests,
    latency: 0,
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return target;
}
