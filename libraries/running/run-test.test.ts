import { expect, test } from "vitest";
import { testRequest } from "#contracts/test-registry/requests.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { runTest } from "./run-test.ts";
import { createParts, phases, toRun } from "./testing/parts.ts";

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

test("requests to a host with trace contexts carry the run's trace, each attempt its own span, and redirects elsewhere none", async () => {
  const { parts, sent } = createParts([
    { status: 500, body: "{}" },
    { status: 200, body: "{}" },
    { status: 200, body: "{}" },
  ]);
  const findHostRules = parts.findHostRules;
  const traced = { ...parts, findHostRules: async () => ({ ...(await findHostRules("any", "any")), isTraced: true }) };
  const retry = { attempts: 2, delayMilliseconds: 0, backoff: "fixed" } as Test["retry"];
  const traceId = "0198c1f47a3e7c419d553f0a6b2c8e10";
  const { attempts } = await runTest(traced, toRun({ retry }, { traceId }), { signal });
  const spans = attempts.map(({ trace }) => trace!.spanId);
  expect(new Set(spans).size).toBe(2);
  expect(sent.map(({ headers }) => new Headers(headers).get("traceparent"))).toEqual(
    spans.map((span) => `00-${traceId}-${span}-01`),
  );
  expect(sent[0]!.secretHeaderNames).toContain("traceparent");
  expect(new Headers(attempts[1]!.request!.headers).get("traceparent")).toContain(spans[1]);
  const result = await runTest(parts, toRun({}, { traceId }), { signal });
  expect([result.attempts[0]!.trace, new Headers(sent[2]!.headers).get("traceparent")]).toEqual([undefined, null]);
});
