import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

/** An API whose responses wait until the test releases them. */
interface HeldApi {
  origin: string;
  waiting: { url: string; response: ServerResponse }[];
  /** Sends all waiting responses, and later ones at once. */
  letGo(): void;
  stop(): void;
}

const executions = 60;
const document = {
  openapi: "3.1.0",
  info: { title: "Held", version: "1" },
  paths: { "/held": { get: { responses: { 200: { description: "At last" } } } } },
};

async function startHeldApi(): Promise<HeldApi> {
  const waiting: HeldApi["waiting"] = [];
  let holds = true;
  const respond = (url: string, response: ServerResponse) => {
    const { port } = server.address() as AddressInfo;
    const servers = [{ url: `http://127.0.0.1:${port}` }];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(url.startsWith("/openapi") ? { ...document, servers } : {}));
  };
  const server: Server = createServer((request, response) => {
    const url = request.url ?? "";
    if (holds && url !== "/openapi.json") waiting.push({ url, response });
    else respond(url, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting,
    letGo() {
      holds = false;
      for (const { url, response } of waiting.splice(0)) respond(url, response);
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

let api: HeldApi;
let database: TestDatabase;
let portal: PortalProcess;
let backend: PortalBackend;

beforeAll(async () => {
  api = await startHeldApi();
  database = await createTestDatabase();
  portal = await start();
  backend = await signInToBackend(portal);
});
afterAll(async () => {
  api.stop();
  portal.process.kill("SIGKILL");
  await database.drop();
});

const start = () =>
  startPortalProcess({
    environment: {
      DATABASE_URL: database.url,
      SECRETS_KEY: "one key for both starts of the portal",
      EGRESS_ALLOW: "loopback",
    },
  });

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(20);
}

test("J09: the stopped process finishes work in progress, keeps the queue, and exits with 0", async () => {
  const { id: apiId } = requireValue(
    await backend.apiRegistry.registerApi({ body: { source: { url: `${api.origin}/openapi.json` } } }),
    "registering",
  );
  const { id: testId } = requireValue(
    await backend.testRegistry.createTest({
      params: { apiId },
      body: {
        name: "Held",
        method: "GET",
        path: "/held",
        request: {},
        assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
        data: Array.from({ length: executions }, (_, row) => ({ number: String(row) })),
      },
    }),
    "creating the test",
  );
  requireValue(await backend.testExecutioner.runTest({ params: { testId }, body: {} }), "running");
  await until(() => api.waiting.length > 0);

  // In progress when the signal comes: a slow import, a caller waiting for a run, an event stream, a page.
  const slowImport = backend.apiRegistry.registerApi({ body: { source: { url: `${api.origin}/openapi-slow.json` } } });
  await until(() => api.waiting.some(({ url }) => url === "/openapi-slow.json"));
  const events = await fetch(`${portal.origin}/api/test-executioner/api/v1/apis/${apiId}/executions/events`, {
    headers: { authorization: `Bearer ${await backend.freshToken()}` },
  });
  let watched = "";
  const watching = events.body!.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(part) {
        watched += part;
      },
    }),
  );
  const waitingRun = backend.testExecutioner.runTest({ params: { testId }, query: { wait: 60 }, body: {} });
  await until(() => watched.includes("event: "));
  portal.process.kill("SIGTERM");
  // A second signal, as from a terminal's Ctrl-C under npm, interrupts nothing.
  portal.process.kill("SIGTERM");
  await until(() => portal.output().includes("finishing what is under way"));
  await expect(fetch(`${portal.origin}/actuator/health`)).rejects.toThrow();

  await watching;
  expect((await waitingRun).ok).toBe(true);
  api.letGo();
  expect(await slowImport).toMatchObject({ ok: true, status: 201, value: { name: "Held" } });
  expect(await portal.stop()).toBe(0);
  expect(portal.output()).not.toMatch(/"level":(50|60)/);

  portal = await start();
  backend = await signInToBackend(portal);
  const verdicts = new Map<string, number>();
  await until(async () => {
    verdicts.clear();
    let cursor: string | undefined;
    do {
      const page = requireValue(
        await backend.testExecutioner.listExecutions({ params: { testId }, query: { limit: 200, cursor } }),
        "listing",
      );
      for (const { state, verdict } of page.items) {
        const word = state === "finished" ? String(verdict) : state;
        verdicts.set(word, (verdicts.get(word) ?? 0) + 1);
      }
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return !verdicts.has("queued") && !verdicts.has("running");
  });
  expect(Object.fromEntries(verdicts)).toEqual({ passed: 2 * executions });
  expect(await portal.stop()).toBe(0);
});
