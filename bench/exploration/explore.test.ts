import { afterAll, beforeAll, expect, test } from "vitest";
import type { Finding } from "#contracts/test-executioner/explorations.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { explore } from "#libraries/suite/exploration/explore.ts";
import type { Asked, Called, ExploreOptions } from "#libraries/suite/exploration/exploring.ts";
import { shop } from "../made-suite/servers/shop.ts";
import { readDescribed } from "./described.ts";
import { createEngine, type Engine, toCredential } from "./engine.ts";
import { findFor } from "./ours.ts";
import { seededFaults } from "./servers/all-servers.ts";
import { bookings } from "./servers/bookings.ts";
import { type FaultyServer, startServer } from "./servers/faulty-server.ts";
import { notes } from "./servers/notes.ts";

let engine: Engine;
beforeAll(() => {
  engine = createEngine();
});
afterAll(() => engine.stop());

interface Run {
  findings: Finding[];
  isComplete: boolean;
  sent: (Asked & Called)[];
  requests: number;
}

async function run(described: FaultyServer, faults: string[], options: Partial<ExploreOptions> = {}): Promise<Run> {
  const server = await startServer(described, faults);
  try {
    const input = await readDescribed(server.document);
    const { signal = new AbortController().signal } = options;
    const call = engine.connect(
      { origin: server.origin, credential: described.apiKey && toCredential(described.apiKey) },
      input,
      new AbortController().signal,
    );
    const sent: Run["sent"] = [];
    const explored = await explore(input, {
      ...{ seed: 7, maxRequests: 3_000, changes: true, onProgress() {}, onFinding() {}, ...options, signal },
      async call(asked) {
        const called = await call(asked);
        sent.push({ ...asked, ...called });
        return called;
      },
    });
    return { ...explored, sent };
  } finally {
    await server.stop();
  }
}

const faultOf = (id: string) => seededFaults.find((one) => one.id === id)!;

test("a server that keeps to its document has no findings", async () => {
  const { findings, isComplete, requests } = await run(notes, []);
  expect(findings.map(({ message }) => message)).toEqual([]);
  expect(isComplete).toBe(true);
  expect(requests).toBeGreaterThan(200);
});

test.each([
  ["search-is-a-pattern", "Responded with 500 to `q:"],
  [
    "read-marks-as-read",
    "A request that only reads changed the note: $.isRead: expected false, found true (GET /notes/{noteId}, 200).",
  ],
  ["text-truncated", "Did not keep what was sent: $.text"],
  ["latin-titles-only", "Refused `title:"],
  ["pinned-coerced", 'Accepted `isPinned: "abc"` although a boolean is documented (POST /notes, 201).'],
  [
    "delete-without-key",
    "Deleted the note without credentials although they are required (DELETE /notes/{noteId}, 204).",
  ],
])("the fault %s is reported in a sentence, and replaying its chain reproduces it", async (id, sentence) => {
  const fault = faultOf(id);
  const { findings } = await run(notes, [id], { maxRequests: 900 });
  const found = findFor(fault, findings)!;
  expect(found.message).toContain(sentence);
  expect(found.isRepeated).toBe(true);
  expect(await replay(found, [id])).toBe(true);
  expect(await replay(found, [])).toBe(false);
});

/** Whether the last step of a finding's chain fails, when its tests run by themselves. */
async function replay({ steps, variables }: Finding, faults: string[]): Promise<boolean> {
  const server = await startServer(notes, faults);
  try {
    const input = await readDescribed(server.document);
    const call = engine.connect(
      { origin: server.origin, credential: toCredential(notes.apiKey!) },
      input,
      new AbortController().signal,
    );
    const captures = new Map<string, Asked["captures"][number]>();
    for (const { name, value } of variables) {
      const text = value.replaceAll("{{$uuid}}", "0b0e6f3c-53cd-4a5c-8a3b-7f5a0f4d8f11");
      captures.set(name, { name, value: text, isSecret: false, type: "string", isUnique: true });
    }
    let isFailed = false;
    for (const { test: asked, phase, effect } of steps) {
      if (phase === "tearDown") continue;
      const called = await call({ test: asked, captures: [...captures.values()], effect });
      for (const capture of called.captures) captures.set(capture.name, capture);
      isFailed = called.verifications.some(({ outcome }) => outcome === "failed");
    }
    return isFailed;
  } finally {
    await server.stop();
  }
}

test("the same seed gives the same findings, and requests", async () => {
  const faults = ["leap-day", "email-not-checked", "cancel-after-delete"];
  const first = await run(bookings, faults, { maxRequests: 600 });
  const second = await run(bookings, faults, { maxRequests: 600 });
  expect(first.findings.length).toBeGreaterThan(0);
  expect(second.findings.map(({ key, message }) => [key, message])).toEqual(
    first.findings.map(({ key, message }) => [key, message]),
  );
  expect(second.requests).toBe(first.requests);
});

test("only safe methods are sent where nothing may be changed, and the rest is left out with a reason", async () => {
  const { sent, requests } = await run(bookings, [], { changes: false });
  expect(requests).toBeGreaterThan(20);
  expect(sent.filter(({ test: asked }) => !isSafe(asked.method))).toEqual([]);
  // What is there is taken.
  expect(sent.some(({ test: asked, statusCode }) => asked.path === "/bookings/{bookingId}" && statusCode === 200)).toBe(
    true,
  );
});

test("what was made is removed, also where it ends before everything was tried", async () => {
  const ending = new AbortController();
  let made = 0;
  const { sent, isComplete } = await run(bookings, [], {
    signal: ending.signal,
    onProgress({ requests }) {
      made = requests;
      if (requests === 60) ending.abort();
    },
  });
  expect(isComplete).toBe(false);
  expect(made).toBeLessThan(80);
  const accepted = (method: string, path: string) =>
    sent.filter(({ test: asked, statusCode }) => asked.method === method && asked.path === path && statusCode! < 300);
  expect(accepted("post", "/bookings").length).toBeGreaterThan(0);
  expect(accepted("delete", "/bookings/{bookingId}")).toHaveLength(accepted("post", "/bookings").length);
  expect(accepted("delete", "/rooms/{roomId}")).toHaveLength(accepted("post", "/rooms").length);
});

test("no more requests are sent than it may, but to remove what was made", async () => {
  const { requests, isComplete } = await run(bookings, [], { maxRequests: 50 });
  expect(isComplete).toBe(false);
  expect(requests).toBeGreaterThanOrEqual(50);
  expect(requests).toBeLessThan(70);
});

test("what is wrong with something that was there before is shown by one request", async () => {
  const server = await shop.start({} as never);
  try {
    const input = await readDescribed(server.documentFor(server.origin));
    const secret = server.credentials?.[0]?.secret ?? "";
    const target = { origin: server.origin, credential: { type: "bearer" as const, settings: {}, secret } };
    const { signal } = new AbortController();
    const { findings } = await explore(input, {
      ...{ seed: 7, maxRequests: 600, changes: true, signal, onProgress() {}, onFinding() {} },
      call: engine.connect(target, input, signal),
    });
    const price = findings.find(({ message }) => message.includes("$.items[6].price"));
    expect(price?.steps.map(({ test: { method, path } }) => `${method} ${path}`)).toEqual(["get /products"]);
    expect(price?.isRepeated).toBe(true);
  } finally {
    await server.stop();
  }
});
