import type { IncomingMessage, ServerResponse } from "node:http";
import type { TestInput } from "#contracts/test-registry/tests.ts";

/** A server with books of its own, which records every request that may change something. */
export function createBookShop() {
  const changes: string[] = [];
  let books = new Set<number>();
  let next = 0;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = "", url = "" } = request;
    const respond = (status: number, body: object = {}, headers = {}) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    if (method !== "GET") changes.push(`${method} ${url}`);
    const [path = "", query = ""] = url.split("?");
    const id = Number(/^\/books\/(\d+)/.exec(path)?.[1]);
    const moved = /^\/(moved|slash)\/(\d+)$/.exec(path);
    if (moved) {
      return void respond(
        moved[1] === "moved" ? 307 : 308,
        {},
        { location: moved[1] === "moved" ? "/books/1" : `${path}/` },
      );
    }
    if (method === "GET" && path === "/books") return void respond(200, { id: [...books][0], books: [...books] });
    if (method === "POST" && path === "/books") {
      if (query === "taken") return void respond(409, { id: 1 });
      if (query === "broken") return void respond(500);
      next += 1;
      books.add(next);
      return void respond(201, { id: next, ownerId: 1 });
    }
    if (method === "DELETE") books.delete(id);
    respond(200, { id });
  }

  return {
    answer,
    /** Requests so far that may have changed something. */
    changes,
    listBooks: () => [...books],
    /** Books 1 and 2 are somebody else's; the next one is 3. */
    open() {
      changes.length = 0;
      books = new Set([1, 2]);
      next = 2;
    },
  };
}

type Changes = Partial<TestInput>;

const pair = (name: string, value: string) => ({ name, value, enabled: true });
const checks: TestInput["checks"] = ["not_a_server_error"];

/** Tests of the shop; `bookId` is the name that is captured and used. */
export const shopTests = {
  make: (changes: Changes = {}): Changes => ({
    ...{ method: "post", path: "/books", checks },
    assertions: [{ source: "statusCode", comparison: "oneOf", target: [200, 201] }],
    captures: [{ name: "bookId", source: "jsonPath", property: "$.id" }],
    ...changes,
  }),
  list: (): Changes => ({
    ...{ method: "get", path: "/books", checks },
    captures: [{ name: "bookId", source: "jsonPath", property: "$.id" }],
  }),
  change: (method: string, path = "/books/{bookId}", value = "{{bookId}}", rest: Changes = {}): Changes => ({
    ...{ method: method as TestInput["method"], path, checks, captures: [] },
    request: { pathParameters: [pair("bookId", value)], followRedirects: true } as never,
    ...rest,
  }),
};
