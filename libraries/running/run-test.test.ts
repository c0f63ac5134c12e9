import { expect, test, vi } from "vitest";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import { testRequest } from "#contracts/test-registry/requests.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { EgressFailure, OutboundRequest, OutboundResult } from "../egress/egress.ts";
import { createJudging } from "../judging/judging.ts";
import { createHiding } from "./hiding/hiding.ts";
import { CancelledWait } from "./pause.ts";
import { type RunningParts, runTest } from "./run-test.ts";
import type { TestToRun } from "./test-to-run.ts";

const phases = { blocked: 1, dns: 0, connect: 1, tls: 0, send: 0, wait: 8, receive: 0, total: 10 };

/** Everything a test needs without a service, a database or a network. */
function createParts(answers: { status: number; body: string; failure?: EgressFailure; stopped?: "items" }[]) {
  const sent: OutboundRequest[] = [];
  const parts: RunningParts = {
    clock: { now: () => new Date("2026-03-10T12:00:00Z") },
    egress: {
      async send(request): Promise<OutboundResult> {
        sent.push(request);
        const { status, body, failure, stopped } = answers.shift()!;
        const bytes = Buffer.from(body);
        const size = { bodyBytes: bytes.length, transferredBytes: bytes.length, truncated: false, stopped };
        const headers: [string, string][] = [["content-type", "application/json"]];
        const response = { url: request.url, status, statusText: "", httpVersion: "1.1", headers, body: bytes, phases };
        if (failure) return { outcome: "failed", failure, hops: [], partial: { ...response, ...size } };
        return { outcome: "answered", hops: [], response: { ...response, ...size } };
      },
      close: async () => {},
    },
    userAgent: "a command line",
    settings: { current: () => defaultSettings },
    findHostRules: async () => ({
      isVerified: true,
      ruledBy: null,
      unsafeMethods: "allowed",
      authorizationConfigs: [],
    }),
    openCredentials: async () => ({ items: [], refused: [] }),
    accessTokens: { require: async () => "", renew: async () => "" },
    judging: createJudging(),
    hiding: createHiding(),
  };
  return { parts, sent };
}

function toRun(changes: Partial<Test>, rest: Partial<TestToRun> = {}): TestToRun {
  const test = {
    method: "get",
    path: "/pets",
    request: testRequest.parse({}),
    assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
    checks: [],
    captures: [],
    retry: { attempts: 1, delayMilliseconds: 0, backoff: "fixed" },
    timeoutMilliseconds: 1_000,
    ...changes,
  } as unknown as Test;
  return {
    organizationId: "any",
    test,
    captures: [],
    findVariable: () => undefined,
    baseUrls: ["http://api.test"],
    isConfirmed: true,
    findOperation: async () => undefined,
    ...rest,
  };
}

const { signal } = new AbortController();

test("a test runs without any service: earlier captures are sent, new ones are returned, no secret is visible", async () => {
  const { parts, sent } = createParts([{ status: 200, body: '{"id":7,"echo":"correct horse battery"}' }]);
  const result = await runTest(
    parts,
    toRun(
      {
        request: testRequest.parse({ query: [{ name: "of", value: "{{owner}}{{tenant}}", enabled: true }] }),
        captures: [{ name: "petId", source: "jsonPath", property: "$.id" }],
      },
      {
        captures: [{ name: "owner", isSecret: true, value: "correct horse battery" }],
        findVariable: (name) => (name === "tenant" ? "9" : undefined),
      },
    ),
    { signal },
  );
  expect(sent.map(({ url }) => url)).toEqual(["http://api.test/pets?of=correct%20horse%20battery9"]);
  expect(result).toMatchObject({ verdict: "passed", statusCode: 200, responseMilliseconds: 9, host: "api.test" });
  expect(result.captures).toEqual([{ name: "petId", isSecret: false, type: "json", value: "7" }]);
  expect(JSON.stringify(result.attempts)).not.toContain("battery");
});

test("passing on the second attempt is flaky, and the last response is announced before it is judged", async () => {
  const { parts, sent } = createParts([
    { status: 500, body: "{}" },
    { status: 200, body: "{}" },
  ]);
  const announced: number[] = [];
  const result = await runTest(
    parts,
    toRun({ retry: { attempts: 2, delayMilliseconds: 0, backoff: "fixed" } as Test["retry"] }),
    { signal, onLastAnswer: () => announced.push(sent.length) },
  );
  expect(result).toMatchObject({ verdict: "flaky", statusCode: 200 });
  expect(result.attempts.map(({ verdict }) => verdict)).toEqual(["failed", "passed"]);
  expect(announced).toEqual([2]);
});

test("of a response that fails after its head, the part that came is kept and judged, and the verdict is errored", async () => {
  const failure = { code: "connection_reset" as const, detail: "The connection was reset.", phase: "receive" as const };
  const { parts } = createParts([{ status: 500, body: '{"echo":"correct horse battery","na', failure }]);
  const result = await runTest(
    parts,
    toRun(
      {
        request: testRequest.parse({ query: [{ name: "of", value: "{{owner}}", enabled: true }] }),
        assertions: [
          { source: "statusCode", comparison: "equals", target: 200 },
          { source: "jsonPath", property: "$.id", comparison: "exists" },
        ],
      },
      { captures: [{ name: "owner", isSecret: true, value: "correct horse battery" }] },
    ),
    { signal },
  );
  expect(result).toMatchObject({ verdict: "errored", cause: failure, statusCode: 500, responseMilliseconds: null });
  const { response } = result.attempts[0]!;
  expect(response).toMatchObject({ status: 500, incomplete: true, body: '{"echo":"[secret]","na' });
  expect(result.attempts[0]).toMatchObject({ verdict: "errored", phases });
  expect(result.verifications.map(({ outcome }) => outcome)).toEqual(["failed", "errored"]);
  expect(JSON.stringify(result)).not.toContain("battery");
});

test("a name without a value prevents the request, and the caller may explain why", async () => {
  const { parts, sent } = createParts([]);
  const missing = toRun(
    { request: testRequest.parse({ query: [{ name: "id", value: "{{petId}}", enabled: true }] }) },
    { explainMissing: async (names) => `Nothing captured ${names.join(", ")}.` },
  );
  const result = await runTest(parts, missing, { signal });
  expect(sent).toEqual([]);
  expect(result).toMatchObject({
    verdict: "errored",
    cause: { code: "variable_missing", detail: "Nothing captured petId." },
    host: undefined,
    statusCode: null,
  });
});

test("secrets typed into a test are hidden where they are sent, echoed and judged", async () => {
  const basic = Buffer.from("ana:canary-basic").toString("base64");
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.Y2FuYXJ5LWp3dA";
  const echo = `canary-bearer canary-key ${encodeURIComponent("canary query/1")} canary-cookie ${basic} canary-body ${jwt}`;
  const { parts } = createParts([
    { status: 200, body: JSON.stringify({ echo, hex: Buffer.from(echo).toString("hex") }) },
  ]);
  const pair = (name: string, value: string) => ({ name, value, enabled: true });
  const result = await runTest(
    parts,
    toRun(
      {
        method: "post",
        request: testRequest.parse({
          query: [pair("api_key", "canary query/1"), pair("monkey", "banana-banana")],
          headers: [
            pair("Authorization", "Bearer canary-{{tokenEnd}}"),
            pair("X-Api-Key", "canary-key"),
            pair("X-Upstream", `Basic ${basic}`),
            pair("X-Request-Id", "request-4711"),
            pair("Cookie", "session=canary-cookie"),
          ],
          cookies: [pair("of", "canary-cookie-too")],
          body: { kind: "json", text: `{"user":{"password":"canary-body"},"of":"${jwt}","color":"a blue one",}` },
        }),
        assertions: [
          { source: "body", comparison: "contains", target: "canary-bearer canary-key and more" },
        ] as unknown as Test["assertions"],
        captures: [{ name: "echo", source: "jsonPath", property: "$.echo" }],
      },
      { findVariable: (name) => (name === "tokenEnd" ? "bearer" : undefined) },
    ),
    { signal },
  );
  const { captures, ...stored } = result;
  expect(captures).toMatchObject([{ name: "echo", isSecret: true }]);
  expect(JSON.stringify(stored)).not.toMatch(/canary|63616e617279|eyJhbGci/i);
  expect(JSON.stringify(stored)).not.toContain(basic);
  const text = JSON.stringify(result.attempts[0]!.request);
  for (const kept of ["banana-banana", "request-4711", "a blue one"]) expect(text).toContain(kept);
  expect(result.attempts[0]!.request!.headers).toContainEqual(["Authorization", "Bearer [secret]"]);
});

test.each([
  [
    "application/x-www-form-urlencoded",
    { kind: "form", fields: [{ name: "password", value: "canary 1&2", enabled: true }] },
  ],
  ["multipart/form-data", { kind: "multipart", parts: [{ name: "password", value: "canary 1&2", enabled: true }] }],
  ["application/json", { kind: "json", text: '{"a":["\\"",{"password" : "canary 1&2"}]' }],
])("a secret in a body of %s is hidden", async (_, body) => {
  const { parts, sent } = createParts([{ status: 200, body: '"canary 1&2"' }]);
  const result = await runTest(parts, toRun({ method: "post", request: testRequest.parse({ body }) }), { signal });
  expect(String(sent[0]!.body)).toMatch(/canary/);
  expect(JSON.stringify(result)).not.toMatch(/canary/);
  expect(JSON.stringify(result)).toContain("password");
});

test("a body is hashed where an assertion needs it, byte by byte", async () => {
  const sha256 = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
  const { parts } = createParts([
    { status: 200, body: "{}" },
    { status: 200, body: "{}" },
  ]);
  const equal = { source: "bodySha256" as const, comparison: "equals" as const, target: sha256 };
  const options = { signal: new AbortController().signal };
  const hashed = await runTest(parts, toRun({ assertions: [equal] }), options);
  expect(hashed).toMatchObject({ verdict: "passed", attempts: [{ response: { bodySha256: sha256 } }] });
  expect((await runTest(parts, toRun({}), options)).attempts[0]?.response?.bodySha256).toBeUndefined();
});

test("how far a response is read goes out with the request, and the stored response says that it was enough", async () => {
  const readUntil = { kind: "items" as const, count: 2 };
  const { parts, sent } = createParts([{ status: 200, body: "1\n2\n", stopped: "items" }]);
  const result = await runTest(parts, toRun({ request: testRequest.parse({ readUntil }) }), { signal });
  expect(sent[0]).toMatchObject({ readUntil });
  expect(result.attempts[0]!.response).toMatchObject({ stopped: "items", body: "1\n2\n" });
});

const everySecond = { everySeconds: 1, atMostSeconds: 5 };
const badly = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ status: 404, body: `{"try":${index + 1}}` }));

/** Runs a test that waits, on a clock that advances without waiting. */
async function runWaiting(
  answers: Parameters<typeof createParts>[0],
  changes: Partial<Test>,
  options: Partial<Parameters<typeof runTest>[2]> = {},
) {
  const { parts, sent } = createParts(answers);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const ended = runTest(parts, toRun(changes), { signal, ...options }).finally(() => {
      isOver = true;
    });
    ended.catch(() => {});
    let isOver = false;
    while (!isOver) {
      vi.advanceTimersToNextTimer();
      await new Promise(setImmediate);
    }
    return { result: await ended, sent };
  } finally {
    vi.useRealTimers();
  }
}

test("a condition that is met late is passed, not flaky, with the number of tries and the time", async () => {
  const { result } = await runWaiting([...badly(3), { status: 200, body: "{}" }], { waitUntil: everySecond });
  expect(result).toMatchObject({ verdict: "passed", attemptCount: 4, statusCode: 200 });
  expect(result.waitedMilliseconds).toBeGreaterThanOrEqual(3_000);
  expect(result.attempts.map(({ number, verdict }) => [number, verdict])).toEqual([
    ...[1, 2, 3].map((number) => [number, "failed"]),
    [4, "passed"],
  ]);
});

test("a condition that is never met is failed with the last response, and no try starts after the longest wait", async () => {
  const { result, sent } = await runWaiting(badly(100), { waitUntil: { everySeconds: 2, atMostSeconds: 5 } });
  expect(result).toMatchObject({ verdict: "failed", attemptCount: 4, statusCode: 404 });
  expect(sent).toHaveLength(4);
  expect(result.attempts.at(-1)!.response!.body).toBe('{"try":4}');
  expect(result.verifications.map(({ outcome }) => outcome)).toEqual(["failed"]);
});

test("of many tries the first and the last nine are stored", async () => {
  const waitUntil = { everySeconds: 0.1, atMostSeconds: 3 };
  const { result, sent } = await runWaiting(badly(200), { waitUntil });
  expect(result.attemptCount).toBe(sent.length);
  expect(sent.length).toBeGreaterThan(20);
  const last = sent.length;
  expect(result.attempts.map(({ number }) => number)).toEqual([
    1,
    ...Array.from({ length: 9 }, (_, n) => last - 8 + n),
  ]);
});

test("secrets captured by a try that is not stored are hidden in later ones", async () => {
  const secret = "correct horse battery";
  const answers = badly(20).map((answer, index) => ({
    ...answer,
    body: index === 1 ? `{"token":"${secret}"}` : `{"token":null,"echo":"${secret}"}`,
  }));
  const { result } = await runWaiting(answers, {
    waitUntil: { everySeconds: 1, atMostSeconds: 15 },
    captures: [{ name: "token", source: "jsonPath", property: "$.token", secret: true }],
  });
  expect(result.attempts.map(({ number }) => number).slice(0, 2)).toEqual([1, result.attemptCount - 8]);
  expect(result.attemptCount).toBeGreaterThan(10);
  expect(JSON.stringify(result.attempts.slice(1))).not.toContain("battery");
});

test("cancelling ends the wait before its next try", async () => {
  const cancelling = new AbortController();
  let answers = 0;
  const onAnswer = () => {
    answers += 1;
    if (answers === 2) cancelling.abort(new CancelledWait());
  };
  const waiting = runWaiting(badly(9), { waitUntil: everySecond }, { onAnswer, cancelled: cancelling.signal });
  await expect(waiting).rejects.toBeInstanceOf(CancelledWait);
  expect(answers).toBe(2);
});
