import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import type { StoredFile } from "#contracts/test-registry/files.ts";
import { type RequestBody, requestBody, testRequest } from "#contracts/test-registry/requests.ts";
import type { SampleRequest } from "#libraries/code-samples/sample-request.ts";
import { createEgress } from "#libraries/egress/egress.ts";
import { writeJson } from "#libraries/json/write-json.ts";
import { prepareRequest, type SendingParts } from "#libraries/running/sending/preparing.ts";
import { sendPrepared } from "#libraries/running/sending/sending.ts";
import { createTemplateRenderer } from "#libraries/running/sending/template-renderer.ts";
import { codeSamples } from "../app/features/code-samples/code-samples.ts";
import { curlOfSent } from "../app/features/code-samples/curl-of-sent.ts";
import { sampleRequest } from "../app/features/code-samples/sample-request.ts";
import { suggestValidCall } from "../libraries/suite/suggestion/valid-call.ts";
import { findSampleClients } from "../scripts/sample-clients.js";
import { readDocument } from "../services/api-registry/testing/reading.ts";
import { sampledOperations } from "./support/sampled-operations.ts";

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

const specificationVersion = "3.1";

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
      Object.entries(sampledOperations).map(([path, methods]) => [
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
  const imported = await readDocument({ document: writeJson(document as never), fileName: "api.json" });
  const baseUrl = `${origin}/v1/?tenant=%C3%A9`;
  const cases: Case[] = [];
  for (const { described } of imported.operations) {
    const operation: OperationWithComponents = {
      operation: JSON.parse(described),
      components: {},
      securitySchemes: [],
      specificationVersion,
    } as never;
    const { test: suggested } = suggestValidCall(operation, { fields: "all" });
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
    const sample = sampleRequest(operation.operation, {
      baseUrl,
      securitySchemes: [],
      components: {},
      specificationVersion,
    });
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

const bytesOf = (text: string) => Buffer.from(text, "latin1");
const storedFile = (name: string, bytes: Buffer) => ({
  ...{ name, size: bytes.length },
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

test("the cURL command of an execution with files sends their bytes again, from files of their names", async () => {
  const folder = await mkdtemp(join(tmpdir(), "code-samples-"));
  const contents = { "a photo.png": bytesOf("\0\r\n\xff--b\n'\""), "empty.bin": bytesOf("") };
  const files = Object.entries(contents).map(([name, bytes]) => storedFile(name, bytes));
  for (const [name, bytes] of Object.entries(contents)) await writeFile(join(folder, name), bytes);
  const [photo, empty] = files as [StoredFile, StoredFile];
  const pair = (name: string, rest: object) => ({ name, enabled: true, ...rest });
  const form = [pair("photo", { file: photo, mediaType: "image/png" }), pair("note", { value: 'it\'s "é"; @x\r\n' })];
  const bodies: RequestBody[] = [
    { kind: "file", file: photo, mediaType: "image/png" },
    { kind: "file", file: empty, mediaType: "application/octet-stream" },
    { kind: "multipart", parts: [...form, pair("e", { file: empty, fileName: "other.txt" })] },
    { kind: "multipart", mediaType: "multipart/mixed", parts: [...form, { ...form[0]!, name: "" }] },
    { kind: "multipart", parts: [{ ...form[0]!, headers: [{ name: "X-Rotate", value: "90" }] }] },
  ].map((one) => requestBody.parse(one));
  const findFile = async (_: string, { name }: StoredFile) => contents[name as keyof typeof contents];
  for (const [index, one] of bodies.entries()) {
    const built = await prepareRequest(
      { ...parts, findFile },
      {
        ...{ organizationId: "any", method: "post", path: `/files/${index}`, operation: undefined, isConfirmed: true },
        request: testRequest.parse({ body: one }),
        baseUrls: [origin],
        findOperation: async () => undefined,
        templates: createTemplateRenderer(() => undefined, parts.clock),
      },
    );
    if (!built.ok) throw new Error(built.cause.detail);
    received = [];
    const { sent } = await sendPrepared(parts, built.prepared, 10_000);
    await executeFile("sh", ["-c", curlOfSent(sent)], { env, cwd: folder });
    expect(comparable(received[1]!, [])).toEqual(comparable(received[0]!, []));
    expect(received[0]!.body).toContain(
      contents["a photo.png"].toString("latin1").slice(0, index === 1 ? 0 : undefined),
    );
  }
});

test("samples of a form with chosen files read them by name and send their bytes and heads", async () => {
  const folder = await mkdtemp(join(tmpdir(), "code-samples-"));
  const bytes = bytesOf("\0\r\n\xff--b\n'\"");
  const chosenFile = "a photo.png";
  await writeFile(join(folder, chosenFile), bytes);
  const request = { method: "POST", url: `${origin}/files`, headers: [] };
  const photo = { name: "photo", value: "", file: true, chosenFile, mediaType: "image/png" };
  const note = { name: "note", value: "a note", file: false };
  const clients = [
    ["sh", "-c"],
    [process.execPath, "--input-type=module", "-e"],
    [python, "-c"],
  ] as const;
  const send = async (sample: SampleRequest) => {
    received = [];
    for (const [index, { code }] of codeSamples(sample).entries()) {
      const [program, ...options] = clients[index]!;
      await executeFile(program, [...options, code], { env, cwd: folder });
    }
    return received.map(({ body }) => body);
  };
  const whole = { ...request, headers: [{ name: "Content-Type", value: "image/png" }] };
  const sent = bytes.toString("latin1");
  expect(await send({ ...whole, body: { kind: "file", mediaType: "image/png", chosenFile } })).toEqual([
    sent,
    sent,
    sent,
  ]);
  const parts = await send({
    ...request,
    body: { kind: "multipart", mediaType: "multipart/form-data", fields: [note, photo] },
  });
  expect(parts).toHaveLength(languages.length);
  for (const body of parts) {
    expect(body).toContain('name="note"\r\n\r\na note\r\n');
    expect(body).toMatch(/name="photo"; filename="a photo\.png"\r\nContent-Type: image\/png\r\n/);
    expect(body).toContain(`\r\n\r\n${sent}\r\n--`);
  }
});

test("a sample that writes the lines of a body itself says where the bytes of a file belong", () => {
  const fields = [{ name: "photo", value: "", file: true, chosenFile: "a photo.png" }];
  const body = { kind: "multipart", mediaType: "multipart/mixed", fields } as const;
  for (const { code } of codeSamples({ method: "POST", url: `${origin}/files`, headers: [], body })) {
    expect(code).toContain("Replace YOUR_A_PHOTO_PNG with the content of a photo.png.");
  }
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
