import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LifeApi {
  /** For example `http://127.0.0.1:41235`. */
  origin: string;
  documentUrl: string;
  /** The value of `X-API-Key` that every request but the document's needs. */
  key: string;
  /** Received requests without the document's, `GET /books/1`. */
  requests: string[];
  /** Books that were made and not deleted. */
  books: Map<string, object>;
  stop(): Promise<void>;
}

const key = "key-of-the-library";
const ok = { description: "As requested" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const withBody = (name: string) => ({ required: true, ...json({ $ref: `#/components/schemas/${name}` }) });
const returns = (status: number, schema: object) => ({
  responses: { [status]: { ...ok, ...json(schema) }, 401: ok, 404: ok },
});
const id = (name: string) => ({ name, in: "path", required: true, schema: { type: "string" } });
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  ...{ type: "object", required, properties },
});
const text = { type: "string", minLength: 1 };

/** Books have a whole life, orders cannot be removed, the opening hours are a setting, and a report needs a day. */
function documentFor(origin: string) {
  const book = { $ref: "#/components/schemas/Book" };
  const order = { $ref: "#/components/schemas/Order" };
  const hours = { $ref: "#/components/schemas/Hours" };
  return {
    openapi: "3.0.3",
    info: { title: "Library", version: "1" },
    servers: [{ url: origin }],
    security: [{ key: [] }],
    paths: {
      "/books": {
        get: { summary: "List the books", ...returns(200, { type: "array", items: book }) },
        post: { summary: "Add a book", requestBody: withBody("NewBook"), ...returns(201, book) },
      },
      "/books/{bookId}": {
        parameters: [id("bookId")],
        get: { summary: "Get a book", ...returns(200, book) },
        patch: { summary: "Change a book", requestBody: withBody("NewBook"), ...returns(200, book) },
        delete: { summary: "Delete a book", responses: { 204: ok, 404: ok } },
      },
      "/orders": { post: { summary: "Order something", requestBody: withBody("NewOrder"), ...returns(201, order) } },
      "/orders/{orderId}": { parameters: [id("orderId")], get: { summary: "Get an order", ...returns(200, order) } },
      "/hours": {
        get: { summary: "Get the opening hours", ...returns(200, hours) },
        put: { summary: "Change the opening hours", requestBody: withBody("Hours"), ...returns(200, hours) },
      },
      "/reports/{day}": {
        parameters: [id("day")],
        get: { summary: "Get the report of a day", ...returns(200, object({ day: text })) },
      },
    },
    components: {
      securitySchemes: { key: { type: "apiKey", in: "header", name: "X-API-Key" } },
      schemas: {
        Book: object({ id: text, title: text }),
        NewBook: object({ title: text }),
        Order: object({ id: text, title: text }),
        NewOrder: object({ title: text }),
        Hours: object({ opens: { type: "integer", minimum: 0, maximum: 23 } }),
      },
    },
  };
}

/** Undefined for what the document does not allow. */
function readBody(path: string, text: string): object | undefined {
  try {
    const { title, opens } = (JSON.parse(text) ?? {}) as { title?: unknown; opens?: unknown };
    if (path === "/hours")
      return Number.isInteger(opens) && Number(opens) >= 0 && Number(opens) <= 23 ? { opens } : undefined;
    return typeof title === "string" && title !== "" ? { title } : undefined;
  } catch {
    return undefined;
  }
}

/** A real HTTP API on loopback that does what its document at `/openapi.json` promises, with an API key. */
export async function startLifeApi(): Promise<LifeApi> {
  const kept = { books: new Map<string, object>(), orders: new Map<string, object>() };
  const requests: string[] = [];
  let [origin, made, hours] = ["", 0, { opens: 9 } as object];

  function answer(method: string, path: string, body: object | undefined): [status: number, body?: object] {
    const [, collection = "", id] = /^\/(\w+)(?:\/([\w-]+))?$/.exec(path) ?? [];
    if (collection === "hours") {
      if (method === "PUT") hours = body ?? hours;
      return [200, hours];
    }
    if (collection === "reports") return [200, { day: id }];
    const things = collection === "books" ? kept.books : collection === "orders" ? kept.orders : undefined;
    if (!things) return [404, {}];
    if (id === undefined && method === "GET") return [200, [...things.values()]];
    if (id === undefined) {
      made += 1;
      const thing = { id: String(made), ...body };
      things.set(thing.id, thing);
      return [201, thing];
    }
    const thing = things.get(id);
    if (!thing) return [404, {}];
    if (method === "DELETE") {
      things.delete(id);
      return [204];
    }
    const changed = { ...thing, ...body };
    things.set(id, changed);
    return [200, changed];
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    let text = "";
    for await (const chunk of request) text += chunk;
    const respond = (status: number, body?: object) =>
      void response
        .writeHead(status, body ? { "content-type": "application/json" } : {})
        .end(body && JSON.stringify(body));
    if (url === "/openapi.json") return respond(200, documentFor(origin));
    requests.push(`${method} ${url}`);
    if (headers["x-api-key"] !== key) return respond(401, {});
    const [path = ""] = url.split("?");
    const sendsBody = method === "POST" || method === "PATCH" || method === "PUT";
    if (sendsBody && headers["content-type"] !== "application/json") return respond(415, {});
    const body = sendsBody ? readBody(path, text) : undefined;
    if (sendsBody && !body) return respond(400, {});
    respond(...answer(method, path, body));
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ origin, documentUrl: `${origin}/openapi.json`, key, requests, books: kept.books },
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
