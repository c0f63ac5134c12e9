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
  const file = { type: "string", format: "binary" };
  const upload = (content: object) => ({
    parameters: [{ name: "X-Trace", in: "header", required: true, schema: { type: "string" } }],
    requestBody: { required: true, content },
    responses: { 200: { description: "ok" } },
  });
  const properties = { photo: file, pages: { type: "array", items: file }, note: { const: "a note" } };
  const form = {
    schema: { properties, required: ["photo", "note"] },
    encoding: { photo: { contentType: "image/png" } },
  };
  const document = {
    ...{ openapi: "3.0.3", info: { title: "Photos", version: "1" } },
    paths: {
      "/photo": { put: upload({ "image/png": { schema: file } }) },
      "/photos": { post: upload({ "multipart/form-data": form }) },
      "/either": {
        post: upload({ "application/json": { schema: { type: "object" } }, "image/png": { schema: file } }),
      },
      "/plain": { post: upload({ "application/json": { schema: { type: "object" } } }) },
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

const openOperation = async (method: string, path: string): Promise<FormPage> =>
  await visitor.open(href("/api-management/:apiId/swagger/operation", { apiId }, { method, path }));

/** Every byte. */
const bytes = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_, at) => at)), Buffer.from("\r\n\0\n--\r")]);
const photo = () => new File([bytes], "photo.png", { type: "image/png" });
const traced = { "header.X-Trace": "on" };

test("a body that is a file is sent byte for byte, and stays chosen beside an error", async () => {
  const page = await openOperation("put", "/photo");
  expect(page.html).not.toContain('name="body"');
  const refused = await page.submit("Send", { "body.upload": [photo()], baseUrl: "", "header.X-Trace": "" });
  expect([refused.status, refused.errors("header.X-Trace")]).toEqual([422, "Enter X-Trace"]);
  expect(refused.text).toContain(`photo.png, ${bytes.length} bytes, is chosen`);
  const sent = await refused.submit("Send", { ...traced, baseUrl: page.value("baseUrl")! });
  expect([sent.status, received.at(-1)]).toEqual([200, { type: "image/png", body: bytes }]);
  expect(sent.text).toContain("--data-binary '@photo.png'");
});

test("no file and one that is too large are errors at the file, and everything typed stays", async () => {
  const page = await openOperation("put", "/photo");
  const nothing = await page.submit("Send", traced);
  expect([nothing.status, nothing.errors("body.upload")]).toEqual([422, "Choose a file"]);
  const large = new File([Buffer.alloc(10 * 1_048_576 + 1)], "large.png");
  const refused = await nothing.submit("Send", { "body.upload": [large] });
  expect(refused.errors("body.upload")).toBe("Choose a file of at most 10 MiB");
  expect(refused.value("header.X-Trace")).toBe("on");
});

test("parts of a form are files of their documented type, lists have several, and texts come first", async () => {
  const page = await openOperation("post", "/photos");
  expect(page.value("body")).toBe("note=a note");
  const refused = await page.submit("Send", {
    ...traced,
    "part.pages.upload": [new File(["one"], "1.txt"), new File(["two"], "2.txt")],
  });
  expect([refused.status, refused.errors("part.photo.upload")]).toEqual([422, "Choose a file"]);
  await refused.submit("Send", { "part.photo.upload": [photo()], body: "note=another" });
  const { type, body } = received.at(-1)!;
  const boundary = /boundary=(\S+)/.exec(type)![1]!;
  const part = (head: string, content: Buffer | string) =>
    Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from("\r\n")]);
  const file = (name: string, fileName: string, mediaType: string) =>
    `Content-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: ${mediaType}`;
  expect(body.toString("latin1")).toBe(
    Buffer.concat([
      part('Content-Disposition: form-data; name="note"', "another"),
      part(file("photo", "photo.png", "image/png"), bytes),
      part(file("pages", "1.txt", "application/octet-stream"), "one"),
      part(file("pages", "2.txt", "application/octet-stream"), "two"),
      Buffer.from(`--${boundary}--\r\n`),
    ]).toString("latin1"),
  );
});

test("of several media types the chosen one says whether the file or the text is sent", async () => {
  const page = await openOperation("post", "/either");
  const both = { ...traced, body: '{"a":1}', "body.upload": [photo()] };
  await page.submit("Send", { ...both, mediaType: "image/png" });
  expect(received.at(-1)).toEqual({ type: "image/png", body: bytes });
  await page.submit("Send", { ...both, mediaType: "application/json" });
  expect(received.at(-1)!.body.toString()).toBe('{"a":1}');
});

test("an operation without files has no file input, and says that nothing is stored", async () => {
  const page = await openOperation("post", "/plain");
  expect(page.html).not.toContain('type="file"');
  expect(page.text).toContain("Nothing is stored.");
});
