import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import { testRequest } from "#contracts/test-registry/requests.ts";
import { createEgress } from "#libraries/egress/egress.ts";
import { prepareRequest, type SendingParts } from "#libraries/running/sending/preparing.ts";
import { sendPrepared } from "#libraries/running/sending/sending.ts";
import { createTemplateRenderer } from "#libraries/running/sending/template-renderer.ts";
import { codeSamples } from "../app/features/code-samples/code-samples.ts";
import { curlOfSent } from "../app/features/code-samples/curl-of-sent.ts";
import { type SampleRequest, sampleRequest } from "../app/features/code-samples/sample-request.ts";
import { suggestValidCall } from "../libraries/suite/suggestion/valid-call.ts";
import { findSampleClients } from "../scripts/sample-clients.js";
import { readDocument } from "../services/api-registry/testing/reading.ts";

/** What a server receives, byte by byte: headers as ISO-8859-1. */
interface Received {
  method: string;
  url: string;
  headers: [string, string][];
  body: string;
}

let received: Received[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const raw = request.rawHeaders;
    const headers = raw.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1]!]] : [],
    );
    const body = Buffer.concat(chunks).toString("latin1");
    received.push({ method: request.method!, url: request.url!, headers, body });
    response.end();
  });
});
const egress = createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } });
let origin: string;
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cases = prepareCases();
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  server.close();
});

const parts = {
  clock: { now: () => new Date() },
  egress,
  userAgent: "the engine",
  settings: { current: () => defaultSettings },
  findHostRules: async () => ({ isVerified: true, ruledBy: null, unsafeMethods: "allowed", authorizationConfigs: [] }),
  openCredentials: async () => ({ items: [], refused: [] }),
  accessTokens: { require: async () => "", renew: async () => "" },
} as unknown as SendingParts;

const body = (mediaType: string, example: unknown, schema: unknown = {}) => ({
  requestBody: { required: true, content: { [mediaType]: { schema, example } } },
});
const parameter = (name: string, location: string, example: unknown, rest: object = {}) => ({
  ...{ name, in: location, required: true, example, schema: {} },
  ...rest,
});
const with_ = (...parameters: object[]) => ({ parameters });
const photo = { type: "object", properties: { title: {}, photo: { type: "string", format: "binary" } } };

/** By path and method. Every path begins with its number. */
const operations: Record<string, Record<string, object>> = {
  "/1": { get: with_(parameter("q", "query", "a b&c=d+e/é*~!'()")) },
  "/2/straße/{id}": { get: with_(parameter("id", "path", "a/b c[1]{2}|é")) },
  "/3": { get: with_(parameter("ids", "query", ["a", "b c"], { schema: { type: "array" } })) },
  "/4": {
    get: with_(parameter("of", "query", { a: 1, b: "c d" }, { style: "deepObject", schema: { type: "object" } })),
  },
  "/5": {
    get: with_(parameter("X-Note", "header", "café 100% \\ it's $HOME"), parameter("theme", "cookie", "dark; é")),
  },
  "/6": { get: with_(parameter("at", "query", "a/b?c:d", { allowReserved: true })) },
  "/7": {
    post: body("application/json", {
      text: "é😀\u2028\n\"'<\\",
      list: [],
      none: {},
      small: 1e-7,
      big: 1e21,
      yes: true,
    }),
  },
  "/8": { post: body("application/json", null) },
  "/9": { post: body("application/merge-patch+json", "a text") },
  "/10": { post: body("text/plain", "@not-a-file\nsecond % line") },
  "/11": { put: body("application/x-www-form-urlencoded", { a: "b c", star: "*~!'()", "na me": "é&=+" }) },
  "/12": { put: body("application/x-www-form-urlencoded", { a: "b", c: "d-e" }) },
  "/13": { post: body("multipart/form-data", { title: 'say "hi"; @x', photo: 'a "b"; \\c' }, photo) },
  "/14": { get: body("application/json", { a: 1 }), delete: body("application/json", { a: 1 }) },
  "/15": { patch: {}, options: {}, head: {}, trace: {}, delete: {}, post: {} },
  "/16?kind=a%20b": { get: with_(parameter("more", "query", "1")) },
  "/17": { post: body("application/xml", "<a>é</a>") },
  "/18": { get: with_(parameter("Content-Type", "header", "a/b"), parameter("Host", "header", "other.test")) },
  "/19": { get: with_(parameter("X-List", "header", ["a", "b"], { schema: { type: "array" } })) },
};

const languages = ["curl", "JavaScript", "Python"] as const;
const executeFile = promisify(execFile);
const env = { ...process.env, NO_PROXY: "*", no_proxy: "*" };
const run = (file: string, given: string[]) => executeFile(file, given, { env });
const { python } = findSampleClients();

/** All samples of a language in one process. */
async function runAll(language: (typeof languages)[number], codes: string[]): Promise<void> {
  if (language === "curl") await run("sh", ["-c", codes.join("\n")]);
  else if (language === "JavaScript") {
    const script = codes.map((code) => `{\n${code}\n}`).join("\n");
    await run(process.execPath, ["--input-type=module", "-e", script]);
  } else {
    const script = `import json, sys\nfor code in json.loads(sys.stdin.read()): exec(code, {})`;
    const running = run(python, ["-c", script]);
    running.child.stdin!.end(JSON.stringify(codes));
    await running;
  }
}

const findHeader = ({ headers }: Received, name: string) =>
  headers.filter(([one]) => one === name.toLowerCase()).map(([, value]) => value);

/** Without the boundary, which each client draws for itself. */
function comparable(one: Received, named: readonly string[]) {
  const [type = ""] = findHeader(one, "content-type");
  const boundary = /boundary=(\S+)/.exec(type)?.[1];
  return {
    method: one.method,
    url: one.url,
    body: boundary ? one.body.replaceAll(boundary, "BOUNDARY").trimEnd() : one.body,
    headers: named.map((name) => [name.toLowerCase(), findHeader(one, name)]),
    type: boundary ? type.replace(/boundary=\S+/, "") : "",
  };
}

interface Case {
  sample: SampleRequest;
  codes: string[];
  byEngine: Received;
  copied: string;
}

async function prepareCases(): Promise<Case[]> {
  const document = {
    openapi: "3.1.0",
    info: { title: "A", version: "1" },
    paths: Object.fromEntries(
      Object.entries(operations).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, one]) => [
            method,
            { ...one, responses: { 200: { description: "ok" } } },
          ]),
        ),
      ]),
    ),
  };
  const imported = await readDocument({ document: JSON.stringify(document), fileName: "api.json" });
  const baseUrl = `${origin}/v1/?tenant=%C3%A9`;
  const cases: Case[] = [];
  for (const { described } of imported.operations) {
    const operation: OperationWithComponents = {
      operation: JSON.parse(described),
      components: {},
      securitySchemes: [],
    } as never;
    const { test: suggested } = suggestValidCall(operation, "all");
    const { method, path } = suggested;
    const built = await prepareRequest(parts, {
      ...{ organizationId: "any", method, path, operation, isConfirmed: true },
      request: testRequest.parse(suggested.request),
      baseUrls: [baseUrl],
      findOperation: async () => operation,
      templates: createTemplateRenderer(() => undefined, parts.clock),
    });
    if (!built.ok) throw new Error(`${method} ${path}: ${built.cause.detail}`);
    received = [];
    const { sent } = await sendPrepared(parts, built.prepared, 10_000);
    const sample = sampleRequest(operation.operation, { baseUrl, securitySchemes: [], components: {} });
    const codes = codeSamples(sample).map(({ code }) => code);
    cases.push({ sample, codes, byEngine: received[0]!, copied: curlOfSent(sent) });
  }
  return cases;
}

let cases: Promise<Case[]>;

/** Differences are listed by the request they are of. */
async function expectAlike(language: (typeof languages)[number], chosen: Case[], codes: string[]): Promise<void> {
  received = [];
  await runAll(language, codes);
  const names = ({ sample }: Case) => sample.headers.map(({ name }) => name);
  const keyOf = ({ method, url }: { method: string; url: string }) => `${method} ${url}`;
  for (const one of chosen) {
    const found = received.find((request) => keyOf(request) === keyOf(one.byEngine));
    expect([keyOf(one.byEngine), found && comparable(found, names(one))]).toEqual([
      keyOf(one.byEngine),
      comparable(one.byEngine, names(one)),
    ]);
  }
}

/** A sample that says why it can't send everything. */
const isLimited = (code: string) => /^(\/\/|#) .*(use another client)/m.test(code);

for (const [index, language] of languages.entries()) {
  test(`the ${language} samples send the bytes that tests send`, async () => {
    const able = (await cases).filter(({ codes }) => !isLimited(codes[index]!));
    expect(able.length).toBeGreaterThan(20);
    await expectAlike(
      language,
      able,
      able.map(({ codes }) => codes[index]!),
    );
  });
}

test("the cURL command of an execution sends the same bytes again", async () => {
  const all = await cases;
  await expectAlike(
    "curl",
    all,
    all.map(({ copied }) => copied),
  );
});

test("only JavaScript can't send everything, and says so", async () => {
  const limited = (await cases).flatMap(({ sample, codes }) =>
    languages
      .filter((_, index) => isLimited(codes[index]!))
      .map((language) => `${language} ${sample.method} ${new URL(sample.url).pathname}`),
  );
  expect(limited).toEqual(["JavaScript GET /v1/14", "JavaScript TRACE /v1/15"]);
});

test("a sample without a known host or body has placeholders for them", async () => {
  const imported = await readDocument({
    document: JSON.stringify({
      openapi: "3.1.0",
      info: { title: "A", version: "1" },
      paths: {
        "/a": {
          post: {
            requestBody: { content: { "application/json": { schema: false } } },
            responses: { 200: { description: "ok" } },
          },
        },
      },
    }),
  });
  const operation = JSON.parse(imported.operations[0]!.described);
  const sample = sampleRequest(operation, { baseUrl: null, securitySchemes: [] });
  expect(sample).toMatchObject({ url: "https://YOUR_HOST/a", body: { kind: "text", text: "YOUR_BODY" } });
});
