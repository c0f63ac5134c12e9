import { expect, test } from "vitest";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import { testRequest } from "#contracts/test-registry/requests.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { OutboundRequest, OutboundResult } from "../egress/egress.ts";
import { createJudging } from "../judging/judging.ts";
import { createHiding } from "./hiding/hiding.ts";
import { type RunningParts, runTest } from "./run-test.ts";
import type { TestToRun } from "./test-to-run.ts";

const phases = { blocked: 1, dns: 0, connect: 1, tls: 0, send: 0, wait: 8, receive: 0, total: 10 };

/** Everything a test needs without a service, a database or a network. */
function createParts(answers: { status: number; body: string }[]) {
  const sent: OutboundRequest[] = [];
  const parts: RunningParts = {
    clock: { now: () => new Date("2026-03-10T12:00:00Z") },
    egress: {
      async send(request): Promise<OutboundResult> {
        sent.push(request);
        const { status, body } = answers.shift()!;
        const bytes = Buffer.from(body);
        const size = { bodyBytes: bytes.length, transferredBytes: bytes.length, truncated: false };
        const headers: [string, string][] = [["content-type", "application/json"]];
        const response = { url: request.url, status, statusText: "", httpVersion: "1.1", headers, body: bytes, phases };
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
    organizationId: "nobody's",
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
