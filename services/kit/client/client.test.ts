import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "@hono/zod-openapi";
import { afterEach, expect, test } from "vitest";
import { operation } from "../contract/operation.ts";
import { connectTo } from "./client.ts";

const contract = {
  getNote: operation({
    method: "get",
    path: "/notes/{noteId}",
    access: "signed-in",
    summary: "One note",
    params: z.object({ noteId: z.string() }),
    query: z.object({ words: z.coerce.number().optional() }),
    status: 200,
    answer: z.object({ url: z.string() }),
  }),
};

let stop: () => void = () => {};
afterEach(() => stop());

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return connectTo(contract, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })({
    token: "t",
  });
}

const call = { params: { noteId: "a/b ?" }, query: { words: 3 } };

test("parameters are encoded, the query is written and the token is sent", async () => {
  const client = await serve((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ url: `${request.url} ${request.headers.authorization}` }));
  });
  expect(await client.getNote(call)).toMatchObject({
    ok: true,
    status: 200,
    value: { url: "/notes/a%2Fb%20%3F?words=3 Bearer t" },
  });
});

test("a refusal comes back as the problem that the service sent", async () => {
  const problem = { type: "about:blank", title: "Not found", status: 404, code: "not_found", detail: "No such note" };
  const client = await serve((_, response) => {
    response.writeHead(404, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
  });
  expect(await client.getNote(call)).toEqual({ ok: false, status: 404, problem });
});

test("a refusal says how long to wait, where the service said so in seconds", async () => {
  let wait = "60";
  const client = await serve((_, response) => {
    response.writeHead(429, { "retry-after": wait }).end();
  });
  expect(await client.getNote(call)).toMatchObject({ status: 429, retryAfterSeconds: 60 });
  wait = "Fri, 31 Dec 2027 23:59:59 GMT";
  expect(await client.getNote(call)).not.toHaveProperty("retryAfterSeconds");
});

test("a page of some proxy instead of a problem means that the service is away", async () => {
  const client = await serve((_, response) => {
    response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
  });
  expect(await client.getNote(call)).toMatchObject({ ok: false, status: 502, problem: { status: 502 } });
});

test("a service that is not there, or dies while it answers, is unavailable and nothing is thrown", async () => {
  const client = await serve((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
    response.write('{"url":');
    setTimeout(() => response.destroy(), 20);
  });
  const unavailable = { ok: false, status: 503, problem: { code: "service_unavailable" } };
  expect(await client.getNote(call)).toMatchObject(unavailable);
  stop();
  expect(await client.getNote(call)).toMatchObject(unavailable);
});
