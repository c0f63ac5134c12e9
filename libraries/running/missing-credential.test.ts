import { expect, test } from "vitest";
import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { testRequest } from "#contracts/test-registry/requests.ts";
import type { OpenedCredential } from "./authorization.ts";
import { runTest } from "./run-test.ts";
import { createParts, toRun } from "./testing/parts.ts";

const { signal } = new AbortController();
const key: SecurityScheme = { name: "key", type: "apiKey", in: "header", parameterName: "X-API-Key" };
const session: SecurityScheme = { name: "session", type: "apiKey", in: "cookie", parameterName: "sid" };

function requiring(security: string[][], securitySchemes = [key, session]): OperationWithComponents {
  const operation = {
    parameters: [],
    responses: [],
    security: security.map((names) => names.map((schemeName) => ({ schemeName, scopes: [] }))),
  };
  return { operation, components: {}, securitySchemes } as unknown as OperationWithComponents;
}

async function run(
  given: {
    request?: object;
    operation?: OperationWithComponents;
    credentials?: OpenedCredential[];
    mayRequireAuthentication?: boolean;
    cookies?: string;
    captures?: { name: string; isSecret: boolean; value: string }[];
  } = {},
) {
  const { parts, sent } = createParts([{ status: 200, body: "{}" }]);
  let lookups = 0;
  const { operation = requiring([["key"]]), mayRequireAuthentication = true, credentials: items = [] } = given;
  const request = testRequest.parse({ authorization: { kind: "inherit" }, ...given.request });
  const result = await runTest(
    { ...parts, openCredentials: async () => ({ items, refused: [] }) },
    toRun(
      { request },
      {
        mayRequireAuthentication,
        cookies: given.cookies,
        captures: given.captures ?? [],
        async findOperation() {
          lookups += 1;
          return operation;
        },
      },
    ),
    { signal },
  );
  return { result, sent, lookups };
}

test("a test that inherits its authorization and would carry none ends errored before it is sent", async () => {
  const { result, sent } = await run();
  expect(sent).toEqual([]);
  expect(result).toMatchObject({ verdict: "errored", attemptCount: 1, statusCode: null });
  expect(result.cause).toEqual({
    code: "no_credential",
    detail:
      'No credential for api.test: the operation requires an API key in X-API-Key, so nothing was sent. Store one under Authentication in the API\'s settings. A test of the refusal itself has the authorization "None".',
  });
});

test("the authorization none is sent: that is how a refusal is tested", async () => {
  const { result, sent, lookups } = await run({ request: { authorization: { kind: "none" } } });
  expect([result.verdict, sent.length, lookups]).toEqual(["passed", 1, 0]);
});

test.each<[string, string[][]]>([
  ["requires nothing", []],
  ["requires nothing by an empty alternative", [["key"], []]],
  ["names a scheme that the document doesn't have", [["unknown"]]],
])("an operation that %s is called without a credential", async (_, security) => {
  const { result, sent } = await run({ operation: requiring(security) });
  expect([result.verdict, sent.length]).toEqual(["passed", 1]);
});

const name = "X-API-Key";
const pair = { value: "k-123456", enabled: true };
test.each<[string, Parameters<typeof run>[0]]>([
  ["a typed header of the scheme", { request: { headers: [{ name, ...pair }] } }],
  [
    "a captured value in it",
    {
      request: { headers: [{ name, value: "{{token}}", enabled: true }] },
      captures: [{ name: "token", isSecret: true, value: "k-123456" }],
    },
  ],
  ["a typed header Authorization", { request: { headers: [{ name: "Authorization", ...pair }] } }],
  ["another header whose name says that it is a secret", { request: { headers: [{ name: "X-Auth-Token", ...pair }] } }],
  [
    "a typed cookie of the scheme",
    {
      operation: requiring([["session"]]),
      request: { cookies: [{ name: "sid", ...pair }] },
    },
  ],
  [
    "a cookie of the run",
    {
      operation: requiring([["session"]]),
      cookies: JSON.stringify({
        version: "tough-cookie",
        cookies: [{ key: "other", value: "1", domain: "api.test", path: "/", hostOnly: true }],
      }),
    },
  ],
  [
    "a credential of the host, whatever its type",
    {
      credentials: [{ id: "1", name: "Token", type: "bearer", settings: {}, secret: "t-123456" }],
    },
  ],
])("%s counts as an answer, and the test is sent", async (_, given) => {
  const { result, sent } = await run(given);
  expect([result.cause, result.verdict, sent.length]).toEqual([undefined, "passed", 1]);
});

test("a disabled header, another host's cookie and an empty cookie jar are no response", async () => {
  const disabled = await run({ request: { headers: [{ name, value: "k-123456", enabled: false }] } });
  const cookie = { key: "sid", value: "1", domain: "other.test", path: "/", hostOnly: true };
  const jar = (cookies: object[]) => JSON.stringify({ version: "tough-cookie", cookies });
  const elsewhere = await run({ operation: requiring([["session"]]), cookies: jar([cookie]) });
  const empty = await run({ operation: requiring([["session"]]), cookies: '{"cookies":[]}' });
  expect([disabled, elsewhere, empty].map(({ sent }) => sent.length)).toEqual([0, 0, 0]);
});

test("without security schemes in the document, or with a credential, no operation is looked up", async () => {
  const open = await run({ mayRequireAuthentication: false });
  const credentials: OpenedCredential[] = [
    { id: "1", name: "Key", type: "apiKey", settings: { in: "header", parameterName: name }, secret: "k-123456" },
  ];
  const answered = await run({ credentials });
  expect([open, answered].map(({ lookups, sent }) => [lookups, sent.length])).toEqual([
    [0, 1],
    [0, 1],
  ]);
});
