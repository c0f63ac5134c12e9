import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RequestBody } from "#contracts/test-registry/requests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: ExecutionWorld;
let target: Target;
beforeAll(async () => {
  world = await createExecutionWorld(await engine.open());
  target = await startTarget(respondJson({ name: "Rex" }));
});
afterAll(async () => {
  await world.stop();
  await world.database.close();
  await target.close();
});

/** Every byte, line breaks of each kind, and what looks like a boundary. */
const bytes = Buffer.concat([
  Buffer.from(Array.from({ length: 256 }, (_, at) => at)),
  randomBytes(50_000),
  Buffer.from("\r\n--\0\n{{x}}\r"),
]);
const file = { sha256: createHash("sha256").update(bytes).digest("hex"), name: "photo.png", size: bytes.length };
const line = `[file photo.png, ${bytes.length} bytes, SHA-256 ${file.sha256}]`;
const alone: RequestBody = { kind: "file", file, mediaType: "image/png" };
const pair = { name: "photo", value: "", enabled: true };
const form: RequestBody = {
  kind: "multipart",
  parts: [
    { ...pair, file },
    { ...pair, name: "note", value: "{{x}}" },
    { ...pair, file, fileName: "{{x}}.png", mediaType: "image/png" },
  ],
};

async function createTenant() {
  const tenant = await world.createTenant(target.baseUrl);
  const { token } = tenant;
  requireValue(await world.testRegistry({ token }).storeFile({ rawBody: bytes }), "store");
  return tenant;
}

test("a file is sent as the body byte for byte, and shown by its name, size and hash", async () => {
  const tenant = await createTenant();
  const body = { apiId: tenant.apiId, method: "put", path: "/photo", request: { body: alone } };
  const sent = requireValue(await tenant.client.sendRequest({ body }), "send");
  const received = target.requests.at(-1)!;
  expect(received.bytes.equals(bytes)).toBe(true);
  expect(received.headers).toMatchObject({ "content-type": "image/png", "content-length": String(bytes.length) });
  expect(sent.request).toMatchObject({ body: line, bodyBytes: bytes.length, files: [file] });
});

test("files are parts of a form byte for byte, between parts with variables", async () => {
  const tenant = await createTenant();
  const body = {
    apiId: tenant.apiId,
    method: "post",
    path: "/photos",
    request: { body: form },
    variables: { x: "my" },
  };
  const sent = requireValue(await tenant.client.sendRequest({ body }), "send");
  const received = target.requests.at(-1)!;
  const boundary = /boundary=(.+)/.exec(received.headers["content-type"]!)![1];
  const disposition = (rest: string) => `--${boundary}\r\nContent-Disposition: form-data; name=${rest}\r\n`;
  const expected = Buffer.concat([
    Buffer.from(`${disposition('"photo"; filename="photo.png"')}Content-Type: application/octet-stream\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n${disposition('"note"')}\r\nmy\r\n`),
    Buffer.from(`${disposition('"photo"; filename="my.png"')}Content-Type: image/png\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  expect(received.bytes.equals(expected)).toBe(true);
  expect(sent.request!.body!.split(line)).toHaveLength(3);
  expect(sent.request!.bodyBytes).toBe(expected.length);
});

test("a run sends the file of a test, and its execution is stored without the bytes", async () => {
  const tenant = await createTenant();
  const { id } = await tenant.createTest({
    name: "Uploads",
    method: "put",
    path: "/photo",
    request: { body: alone } as never,
  });
  const count = target.requests.length;
  const started = await toTheEnd(tenant.client).runTest({ params: { testId: id }, body: {} });
  const { id: executionId, verdict } = requireValue(started, "run");
  expect(verdict).toBe("passed");
  expect(target.requests).toHaveLength(count + 1);
  expect(target.requests.at(-1)!.bytes.equals(bytes)).toBe(true);
  const execution = requireValue(await tenant.client.getExecution({ params: { executionId } }), "get");
  expect(execution.attempts[0]!.request).toMatchObject({ body: line, files: [file] });
});

test("a file that is not stored, as another organization's, ends errored before anything is sent", async () => {
  await createTenant();
  const other = await world.createTenant(target.baseUrl);
  const count = target.requests.length;
  const body = { apiId: other.apiId, method: "put", path: "/photo", request: { body: alone } };
  const sent = requireValue(await other.client.sendRequest({ body }), "send");
  expect(sent.cause).toMatchObject({ code: "file_missing", detail: expect.stringContaining("photo.png") });
  expect(target.requests).toHaveLength(count);
  const resolved = requireValue(await other.client.resolveRequest({ body }), "resolve");
  expect(resolved.url).toBe(`${target.baseUrl}/photo`);
});
