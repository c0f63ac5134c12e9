import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { href } from "../../app/href.ts";
import type { FormPage } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

const received: { type: string; body: Buffer }[] = [];
const target = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  received.push({ type: request.headers["content-type"] ?? "", body: Buffer.concat(chunks) });
  response.end("{}");
});

let portal: HandledPortal;
let visitor: Visitor;
let apiId: string;
beforeAll(async () => {
  await new Promise<void>((listening) => target.listen(0, "127.0.0.1", listening));
  portal = await openHandledPortal();
  visitor = await portal.signIn();
  const responses = { 200: { description: "ok" } };
  const upload = (mediaType: string, schema: object) => ({
    requestBody: { required: true, content: { [mediaType]: { schema } } },
    responses,
  });
  const document = {
    ...{ openapi: "3.1.0", info: { title: "Photos", version: "1" } },
    paths: {
      "/photo": { put: upload("image/png", {}) },
      "/photos": {
        post: upload("multipart/form-data", {
          properties: { photo: { type: "string", format: "binary" }, note: { const: "a note" } },
          required: ["photo", "note"],
        }),
      },
    },
  };
  const baseUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  const registered = await portal.backend.apiRegistry.registerApi({
    body: { source: { document: JSON.stringify(document) }, baseUrl },
  });
  if (!registered.ok) throw new Error(registered.problem.detail);
  apiId = registered.value.id;
});
afterAll(async () => {
  await portal.stop();
  target.close();
});

async function openNewTest(method: string, path: string): Promise<FormPage> {
  const address = { apiId, pathName: path, method };
  return await visitor.open(href("/test-management/:apiId/tests/create/:pathName/:method", address));
}

/** Every byte and every kind of line break. */
const bytes = Buffer.concat([
  Buffer.from(Array.from({ length: 256 }, (_, at) => at)),
  randomBytes(3_000),
  Buffer.from("\r\n\0\n--\r"),
]);
const sha256 = createHash("sha256").update(bytes).digest("hex");
const photo = () => new File([bytes], 'my "phöto".png', { type: "image/png" });
const kind = "request.body.kind";
const asFile = { [kind]: "file", "request.body.fileMediaType": "image/png" };
/** The hidden field that names the stored file. */
function hidden(page: FormPage, name: string): string {
  const input = [...page.html.matchAll(/<input[^>]*>/g)].find(([tag]) => tag.includes(` name="${name}"`));
  return (/ value="([^"]*)"/.exec(input?.[0] ?? "")?.[1] ?? "").replaceAll("&quot;", '"');
}
const getTestId = (page: FormPage) => /tests\/([^/]+)\/edit/.exec(page.address)![1]!;

test("a chosen file is the body byte for byte, stays chosen beside errors, and is shown by name, size and hash", async () => {
  const form = await openNewTest("put", "/photo");
  const refused = await form.submit("Save", { ...asFile, "request.body.upload": [photo()], name: "", tags: "kept" });
  expect(refused.status).toBe(422);
  expect(refused.errors("name")).not.toBe("");
  expect([refused.value("tags"), hidden(refused, "request.body.file")]).toEqual([
    "kept",
    `${sha256} ${bytes.length} my "phöto".png`,
  ]);
  expect(refused.text).toContain('my "phöto".png');
  const sent = await refused.submit("Send", { name: "Uploads" });
  expect(received.at(-1)).toEqual({ type: "image/png", body: bytes });
  expect(sent.text).toContain(`${bytes.length} bytes, SHA-256 ${sha256}`);
  const saved = await sent.submit("Save", {});
  const testId = getTestId(saved);
  const stored = await portal.backend.testRegistry.getTest({ params: { testId } });
  expect(stored.ok && stored.value.request.body).toEqual({
    kind: "file",
    mediaType: "image/png",
    file: { sha256, size: bytes.length, name: 'my "phöto".png' },
  });
  expect(hidden(await saved.submit("Save", {}), "request.body.file")).toContain(sha256);
});

test("a body documented as a file asks for one, of its media type", async () => {
  const form = await openNewTest("put", "/photo");
  expect(form.text).toContain("The body is a file of type image/png: choose one to send");
  expect([form.value(kind), form.value("request.body.fileMediaType")]).toEqual(["file", "image/png"]);
  const sent = await form.submit("Send", { "request.body.upload": [photo()] });
  expect([sent.status, received.at(-1)]).toEqual([200, { type: "image/png", body: bytes }]);
});

test("nothing chosen and a file that is too large are errors at the file, and everything typed stays", async () => {
  const form = await openNewTest("put", "/photo");
  const nothing = await form.submit("Save", { ...asFile, name: "Uploads" });
  expect(nothing.errors("request.body.upload")).toContain("Choose a file");
  const large = new File([Buffer.alloc(10 * 1_048_576 + 1)], "large.png");
  const refused = await nothing.submit("Save", { "request.body.upload": [large], name: "Uploads a lot" });
  expect(refused.status).toBe(422);
  expect(refused.errors("request.body.upload")).toContain("at most 10 MiB");
  expect([refused.value("name"), refused.value("request.body.fileMediaType")]).toEqual(["Uploads a lot", "image/png"]);
});

test("a part of a form is a file, until its value is sent instead", async () => {
  const form = await openNewTest("post", "/photos");
  const part = (name: string) => `request.body.parts[0].${name}`;
  const added = await form.submit("Add part", { [part("upload")]: [photo()] });
  expect(hidden(added, part("file"))).toContain(sha256);
  await added.submit("Send", { [part("headers")]: "X-Rotate: 90" });
  const { body } = received.at(-1)!;
  expect(body.includes(Buffer.concat([Buffer.from("X-Rotate: 90\r\n\r\n"), bytes, Buffer.from("\r\n--")]))).toBe(true);
  const refused = await added.submit("Save", { [part("headers")]: "what", name: "Uploads" });
  expect(refused.errors(part("headers"))).toContain("One header per line");
  await refused.submit("Send", { [part("headers")]: "", [part("withoutFile")]: true, [part("value")]: "a text" });
  expect(received.at(-1)!.body.includes(bytes)).toBe(false);
  expect(received.at(-1)!.body.toString()).toContain("\r\n\r\na text\r\n");
});

test("a stored file is downloaded under its name and never displayed", async () => {
  const form = await openNewTest("put", "/photo");
  const refused = await form.submit("Save", { ...asFile, "request.body.upload": [photo()], name: "" });
  const { pathname, search } = new URL(refused.link("phöto"));
  const download = await visitor.open(pathname + search);
  expect(download.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''my%20%22ph%C3%B6to%22.png");
  expect(download.headers.get("x-content-type-options")).toBe("nosniff");
  expect(download.headers.get("content-length")).toBe(String(bytes.length));
});
