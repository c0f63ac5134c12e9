import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import { type TestRequest, testRequest } from "#contracts/test-registry/requests.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { repetitions } from "../../tests/support/endurance.ts";
import type { OutboundRequest } from "../egress/egress.ts";
import { prepareRequest } from "../egress/outbound-request.ts";
import { parseJson } from "../json/parse-json.ts";
import { writeJson } from "../json/write-json.ts";
import { createJudging } from "../judging/judging.ts";
import { encodeCookiePart } from "../openapi/percent-encoding.ts";
import { placeholderPattern } from "../template/placeholders.ts";
import { readTyped } from "./filled-target.ts";
import { createHiding } from "./hiding/hiding.ts";
import { runTest } from "./run-test.ts";
import type { OpenCapture } from "./test-to-run.ts";

const phases = { blocked: 0, dns: 0, connect: 0, tls: 0, send: 0, wait: 0, receive: 0, total: 0 };
const judging = createJudging();
const hiding = createHiding();
afterAll(() => {
  judging.stop();
  hiding.stop();
});

interface Answer {
  body?: string;
  headers?: [string, string][];
}

type Expectations = Partial<Pick<Test, "assertions" | "captures">> & { request?: Partial<TestRequest>; path?: string };

/** Runs one test against a server that gives this answer, and returns the request that it received. */
async function run(
  expectations: Expectations,
  answer: Answer,
  variables: { captures?: OpenCapture[]; row?: Record<string, string>; typed?: Record<string, string> } = {},
) {
  let received: OutboundRequest | undefined;
  const { request, path = "/things", assertions = [], captures = [] } = expectations;
  const definition = {
    ...{ method: "post", path, request: testRequest.parse(request ?? {}), assertions, captures, checks: [] },
    ...{ retry: { attempts: 1, delayMilliseconds: 0, backoff: "fixed" }, timeoutMilliseconds: 1_000 },
  } as unknown as Test;
  const result = await runTest(
    {
      clock: { now: () => new Date("2026-03-10T12:00:00Z") },
      egress: {
        async send(outbound) {
          // The checks of the real egress: a value that they refuse should have been refused before, by its name.
          prepareRequest(outbound, "test");
          received = outbound;
          const bytes = Buffer.from(answer.body ?? "");
          const size = { bodyBytes: bytes.length, transferredBytes: bytes.length, truncated: false };
          const shared = { url: outbound.url, status: 200, statusText: "", httpVersion: "1.1", phases };
          const response = { ...shared, ...size, headers: answer.headers ?? [], body: bytes };
          return { outcome: "answered", hops: [], response };
        },
        close: async () => {},
      },
      userAgent: "test",
      settings: { current: () => defaultSettings },
      findFile: async () => undefined,
      findHostRules: async () => ({
        isVerified: true,
        ruledBy: null,
        unsafeMethods: "allowed",
        authorizationConfigs: [],
      }),
      openCredentials: async () => ({ items: [], refused: [] }),
      accessTokens: { require: async () => "", renew: async () => "" },
      judging,
      hiding,
    },
    {
      ...{ organizationId: "one", test: definition, captures: variables.captures ?? [], row: variables.row },
      ...{ findVariable: (name) => variables.typed?.[name], baseUrls: ["http://api.test"], isConfirmed: true },
      findOperation: async () => undefined,
    },
    { signal: new AbortController().signal },
  );
  return { result, received };
}

const numberText = fc.oneof(
  fc.constantFrom("1.0", "-0", "0", "1e5", "1E400", "1e999999999", "9007199254740993", "2936.23380448434092597"),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,20})?([eE][+-]?\d{1,4})?$/),
);
/** Any UTF-16, with the texts that look like other types and those that are special somewhere. */
const text = fc.oneof(
  fc.constantFrom("", "1042", "12345678901234567890", "true", "null", "1e5", "1.0", '"a"', "[1]", '{"a":1}'),
  fc.constantFrom("a\r\nb", " a", "a\t", ".", "..", "%2e", "a/b?c#d&e=f+g", "{{x}}", "\ud800", "ü€😀", 'a"b\\c', "\0"),
  fc.string({ unit: "binary" }),
  fc.string(),
  numberText,
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    text.map((value) => JSON.stringify(value)),
    numberText,
    fc.constantFrom("null", "true", "false"),
    fc.array(tie("json"), { maxLength: 4 }).map((items) => `[ ${items.join(" , ")} ]`),
    fc
      .array(fc.tuple(text, tie("json")), { maxLength: 4 })
      .map((members) => `{${members.map(([name, value]) => `\n${JSON.stringify(name)} : ${value}`).join(",")}}`),
  ),
}));

const property = "$.v";
const equals = (target: unknown) => ({ source: "jsonPath" as const, property, comparison: "equals" as const, target });
const pair = (name: string, value: string) => ({ name, value, enabled: true });

/** Each location, and what a server receives there. */
const locations: Record<string, { request: Partial<TestRequest>; read(sent: OutboundRequest): string | undefined }> = {
  path: {
    request: { pathParameters: [pair("id", "{{x}}")] },
    read: ({ url }) => decodeURIComponent(/^\/things\/(.*)$/.exec(new URL(url).pathname)![1]!),
  },
  query: {
    request: { query: [pair("q", "{{x}}")] },
    read: ({ url }) => new URL(url).searchParams.get("q") ?? undefined,
  },
  header: {
    request: { headers: [pair("x-value", "{{x}}")] },
    read: ({ headers }) => new Headers(headers as [string, string][]).get("x-value") ?? undefined,
  },
  cookie: {
    request: { cookies: [pair("c", "{{x}}")] },
    read: ({ headers }) => headers.find(([name]) => name === "cookie")?.[1].slice("c=".length),
  },
  "a form field": {
    request: { body: { kind: "form", fields: [pair("f", "{{x}}")] } },
    read: ({ body }) => new URLSearchParams(String(body)).get("f") ?? undefined,
  },
  "a JSON string": {
    request: { body: { kind: "json", text: '{"v":"{{x}}"}' } },
    read: ({ body }) => (JSON.parse(String(body)) as { v: string }).v,
  },
  "a JSON value": {
    request: { body: { kind: "json", text: '{"v":{{x}}}' } },
    read: ({ body }) => /^\{"v":(.*)\}$/s.exec(String(body))?.[1],
  },
  text: {
    request: { body: { kind: "text", text: "<{{x}}>", mediaType: "text/plain" } },
    read: ({ body }) => String(body).slice(1, -1),
  },
};

const isLone = (value: string) => /\p{Surrogate}/u.test(value);
/** Values that a location can't carry. */
const unfit: Record<string, (value: string) => boolean> = {
  path: (value) => isLone(value) || value === "." || value === "..",
  header: (value) => /[^\t\x20-\x7e\x80-\xff]/.test(value) || value !== value.trim(),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  cookie: (value) => isLone(value) || /[\0-\x1f\x7f]/.test(value),
  "a JSON string": () => false,
};

async function expectArrival(value: string, variables: Parameters<typeof run>[2]): Promise<void> {
  for (const [location, { request, read }] of Object.entries(locations)) {
    const path = location === "path" ? "/things/{id}" : undefined;
    const { received, result } = await run({ request, path }, {}, variables);
    if ((unfit[location] ?? isLone)(value)) {
      expect([location, result.verdict, result.cause?.detail]).toEqual([
        location,
        "errored",
        expect.stringContaining("{{x}}"),
      ]);
      expect(received).toBeUndefined();
    } else {
      const arrived = read(received!);
      expect([location, arrived]).toEqual([location, location === "cookie" ? encodeCookiePart(value) : value]);
    }
  }
}

test("a captured value equals itself, and goes on as its characters or as its JSON text", async () => {
  await fc.assert(
    fc.asyncProperty(json, async (written) => {
      const answer = { body: `{"v":${written}}` };
      const { result } = await run({ captures: [{ name: "x", source: "jsonPath", property }] }, answer);
      const value = parseJson(written);
      const { captures } = result;
      const judged = await run(
        {
          assertions: [
            equals("{{x}}"),
            { ...equals(["{{x}}"]), comparison: "oneOf" },
            { ...equals({ v: "{{x}}" }), property: "$" },
            { ...equals("{{x}}"), property: "$", comparison: "notEquals" },
            { ...equals("{{x}}"), property: "$.*", comparison: "contains" },
          ],
        },
        answer,
        { captures },
      );
      expect(judged.result.verifications.map(({ message, outcome }) => [message, outcome])).toEqual(
        judged.result.verifications.map(({ message }) => [message, "passed"]),
      );
      await expectArrival(typeof value === "string" ? value : writeJson(value), { captures });
    }),
    { numRuns: repetitions(200, 5_000) },
  );
});

test.each(["header", "cookie", "body"] as const)(
  "a captured %s equals itself and goes on as it came",
  async (source) => {
    const of = source === "body" ? {} : { property: "c" };
    const received = source === "header" ? text.filter((value) => value === value.trim()) : text;
    const answerWith: Record<typeof source, (value: string) => Answer> = {
      header: (value) => ({ headers: [["c", value]] }),
      cookie: (value) => ({ headers: [["set-cookie", `c=${encodeCookiePart(value)}`]] }),
      body: (value) => ({ body: value, headers: [["content-type", "text/plain; charset=utf-8"]] }),
    };
    await fc.assert(
      fc.asyncProperty(received, async (value) => {
        // A body with NUL is binary, and UTF-8's mark at its start is not part of its text.
        fc.pre(!isLone(value) && !(source === "body" && /^\ufeff|\0/.test(value)));
        const answer = answerWith[source](value);
        const { result } = await run({ captures: [{ name: "x", source, ...of }] }, answer);
        const { captures } = result;
        const comparisons = ["equals", "startsWith", "contains"] as const;
        const judged = await run(
          { assertions: comparisons.map((comparison) => ({ source, ...of, comparison, target: "{{x}}" })) },
          answer,
          { captures },
        );
        expect(judged.result.verifications.map(({ outcome }) => outcome)).toEqual(["passed", "passed", "passed"]);
        await expectArrival(source === "cookie" ? encodeCookiePart(value) : value, { captures });
      }),
      { numRuns: repetitions(100, 2_000) },
    );
  },
);

test.each([
  // A row's value may use others: what looks like a placeholder is none of its own text.
  ["a data row", (x: string) => ({ row: { x } }), (x: string) => !placeholderPattern().test(x)],
  ["an environment or circle", (x: string) => ({ typed: { x } }), () => true],
] as const)(
  "a typed variable of %s is read as if it stood in its place, and sent as typed",
  async (_, variables, isText) => {
    await fc.assert(
      fc.asyncProperty(text.filter(isText), async (typed) => {
        const asWritten = readTyped(typed);
        const { result } = await run(
          { assertions: [equals("{{x}}"), { ...equals("{{x}}"), property: "$.t", variableType: "text" }] },
          { body: `{"v":${writeJson(asWritten)},"t":${JSON.stringify(typed)}}` },
          variables(typed),
        );
        expect(result.verifications.map(({ outcome }) => outcome)).toEqual(["passed", "passed"]);
        await expectArrival(typed, variables(typed));
      }),
      { numRuns: repetitions(100, 2_000) },
    );
  },
);

test.each([
  ['"1042"', "1042", "passed", "failed"],
  ['"12345678901234567890"', "12345678901234567890", "passed", "failed"],
  ['"true"', "true", "passed", "failed"],
  ['"1e5"', "1e5", "passed", "failed"],
  ["9007199254740993", "9007199254740993", "passed", "passed"],
])(
  "%s is captured with its type; the same typed as %s is not more than it looks like",
  async (written, typed, captured, looks) => {
    const answer = { body: `{"v":${written}}` };
    const { result } = await run({ captures: [{ name: "x", source: "jsonPath", property }] }, answer);
    const judge = async (variables: Parameters<typeof run>[2]) =>
      (await run({ assertions: [equals("{{x}}")] }, answer, variables)).result.verdict;
    expect(await judge({ captures: result.captures })).toBe(captured);
    expect(await judge({ typed: { x: typed } })).toBe(looks);
  },
);

test("a status code equals a typed 404, and a header a typed true", async () => {
  const typed = { status: "200", flag: "true" };
  const { result } = await run(
    {
      assertions: [
        { source: "statusCode", comparison: "equals", target: "{{status}}" },
        { source: "statusCode", comparison: "between", target: ["{{status}}", 299] },
        { source: "header", property: "x-flag", comparison: "equals", target: "{{flag}}" },
        { source: "header", property: "x-status", comparison: "startsWith", target: "{{status}}" },
        { source: "header", property: "x-status", comparison: "lessThan", target: "{{status}}" },
      ],
    },
    {
      headers: [
        ["x-flag", "true"],
        ["x-status", "200"],
      ],
    },
    { typed },
  );
  expect(result.verifications.map(({ outcome }) => outcome)).toEqual([
    "passed",
    "passed",
    "passed",
    "passed",
    "failed",
  ]);
});
