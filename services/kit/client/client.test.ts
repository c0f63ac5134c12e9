import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "@hono/zod-openapi";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { endpoint } from "#contracts/kit/endpoint.ts";
import { type CallRules, connectTo, requireValue } from "./client.ts";

const contract = {
  getNote: endpoint({
    method: "get",
    path: "/notes/{noteId}",
    access: "signed-in",
    summary: "One note",
    params: z.object({ noteId: z.string() }),
    query: z.object({ words: z.coerce.number().optional() }),
    status: 200,
    response: z.object({ url: z.string() }),
  }),
  addNote: endpoint({
    method: "post",
    path: "/notes",
    access: "signed-in",
    summary: "Adds a note",
    query: z.object({ wait: z.coerce.number().optional() }),
    status: 200,
    response: z.object({ url: z.string() }),
  }),
  watchNotes: endpoint({
    method: "get",
    path: "/events",
    access: "signed-in",
    summary: "Tells of new notes",
    status: 200,
    otherResponses: { "text/event-stream": { description: "Events", example: "" } },
  }),
};

function watched(deadlineMilliseconds: number) {
  const logged: unknown[] = [];
  const rules: CallRules = {
    service: "notebook",
    deadlineMilliseconds,
    log: { warn: (details: unknown, message: string) => void logged.push([message, details]) } as CallRules["log"],
  };
  return { rules, logged };
}

let stop: () => void = () => {};
afterEach(() => stop());

async function serve(listener: RequestListener, rules?: CallRules) {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  stop = () => {
    server.close();
    server.closeAllConnections();
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return connectTo(contract, { baseUrl }, rules)({ token: "t", requestId: "request-1" });
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

test("a refusal includes how long to wait when the service gave it in seconds", async () => {
  let wait = "60";
  const client = await serve((_, response) => {
    response.writeHead(429, { "retry-after": wait }).end();
  });
  expect(await client.getNote(call)).toMatchObject({ status: 429, retryAfterSeconds: 60 });
  wait = "Fri, 31 Dec 2027 23:59:59 GMT";
  expect(await client.getNote(call)).not.toHaveProperty("retryAfterSeconds");
});

test("W09: an internal error of a service is logged and not exposed", async () => {
  const { rules, logged } = watched(60_000);
  const client = await serve((_, response) => {
    const problem = { status: 500, code: "internal_error", detail: "relation notes is missing" };
    response.writeHead(500, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
  }, rules);
  const result = await client.getNote({ params: { noteId: "1" } });
  expect(result).toMatchObject({ ok: false, status: 500, problem: { code: "internal_error" } });
  expect(JSON.stringify(result)).not.toContain("relation");
  expect(JSON.stringify(result)).toContain("request-1");
  expect(logged).toEqual([
    ["service call failed", expect.objectContaining({ requestId: "request-1", detail: "relation notes is missing" })],
  ]);
});

test("a proxy's error page in place of a problem means that the service is unavailable", async () => {
  const client = await serve((_, response) => {
    response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
  });
  expect(await client.getNote(call)).toMatchObject({ ok: false, status: 502, problem: { status: 502 } });
});

test("a service that is down, or dies while it responds, is unavailable and nothing is thrown", async () => {
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

test("a service that doesn't respond is abandoned at the deadline, named, and logged once without the request's content", async () => {
  const { rules, logged } = watched(200);
  const client = await serve(() => {}, rules);
  const result = await client.getNote(call);
  expect(result).toMatchObject({
    ok: false,
    status: 503,
    problem: {
      code: "service_unavailable",
      service: "notebook",
      detail: "Nothing was changed. Try again shortly.",
    },
  });
  expect(logged).toEqual([
    [
      "service call failed",
      {
        requestId: "request-1",
        service: "notebook",
        endpoint: "getNote",
        durationMilliseconds: expect.any(Number),
        reason: "no response in time",
      },
    ],
  ]);
  expect(() => requireValue(result, "the note")).toThrow(expect.objectContaining({ status: 503 }));
});

test("a change without a response may have been made, and the problem doesn't claim otherwise", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const client = await serve(() => void vi.advanceTimersByTime(100), watched(100).rules);
  expect(await client.addNote()).toMatchObject({
    problem: { detail: "It is unknown whether the change was made. Check before you try again." },
  });
  stop();
  expect(await client.addNote()).toMatchObject({ problem: { detail: expect.stringContaining("Nothing was changed") } });
});

test("a long-polling call has a longer deadline, and a stream's deadline covers its start only", async () => {
  const respond = (response: ServerResponse) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"url":""}');
  const { rules, logged } = watched(300);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let finish = () => {};
  const client = await serve((request, response) => {
    if (request.url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
      finish = () => response.end("data: 2\n\n");
    } else {
      vi.advanceTimersByTime(600);
      respond(response);
    }
  }, rules);
  expect(await client.addNote({ query: { wait: 60 } })).toMatchObject({ ok: true });
  const watching = await client.watchNotes();
  vi.advanceTimersByTime(600);
  finish();
  expect(watching.ok && (await watching.response.text())).toBe("data: 1\n\ndata: 2\n\n");
  expect(logged).toEqual([]);
});

test("a caller that disconnects is not a failure", async () => {
  const { rules, logged } = watched(10_000);
  const leaving = new AbortController();
  const client = await serve(() => leaving.abort(), rules);
  expect(await client.getNote({ ...call, signal: leaving.signal })).toMatchObject({ ok: false });
  expect(logged).toEqual([]);
});
