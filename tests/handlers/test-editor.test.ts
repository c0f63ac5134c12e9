import { afterAll, beforeAll, expect, test } from "vitest";
import { href } from "../../app/href.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget } from "../../services/test-executioner/testing/target.ts";
import type { FormPage } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { registerApi } from "../support/portal-backend.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
let apiId: string;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  visitor = await portal.signIn();
  apiId = await registerApi(portal.backend, targetApi.documentUrl);
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

async function openNewTest(method: string, path: string, id = apiId): Promise<FormPage> {
  const address = href("/test-management/:apiId/tests/create/:pathName/:method", { apiId: id, pathName: path, method });
  const page = await visitor.open(address);
  expect(page.heading).toBe("New test");
  return page;
}

const getTestId = (page: FormPage) => /tests\/([^/]+)\/edit/.exec(page.address)![1]!;

test("sending shows the response below and keeps the form; its values become assertions", async () => {
  const form = await openNewTest("get", "/books/{bookId}");
  const sent = await form.submit("Send", { name: "Unsaved" });
  expect(sent.text).toContain("200 OK");
  expect(sent.value("name")).toBe("Unsaved");
  const asserted = await sent.submit("Assert: JSONPath $.pages equals 387");
  expect(asserted.value("assertions[1].property")).toBe("$.pages");
  expect(asserted.text).toContain("200 OK");
});

test("texts and attributes of an XML response become assertions by XPath", async () => {
  const target = await startTarget((_, response) => {
    response.writeHead(200, { "content-type": "application/xml" });
    response.end('<books total="2"><book>The Dispossessed</book><book>Invisible Cities</book></books>');
  });
  const document = JSON.stringify({
    ...{ openapi: "3.1.0", info: { title: "Books in XML", version: "1" }, servers: [{ url: target.baseUrl }] },
    paths: { "/books": { get: { responses: { "200": { description: "Books" } } } } },
  });
  const registered = await portal.backend.apiRegistry.registerApi({ body: { source: { document } } });
  const form = await openNewTest("get", "/books", requireValue(registered, "registering the API").id);
  const sent = await form.submit("Send", { name: "Unsaved" });
  const first = await sent.submit("Assert: XPath /books/@total equals 2");
  const second = await first.submit("Assert: XPath /books/book[2] equals Invisible Cities");
  const rows = [1, 2].map((row) =>
    ["source", "property", "target"].map((name) => second.value(`assertions[${row}].${name}`)),
  );
  expect(rows).toEqual([
    ["xPath", "/books/@total", "2"],
    ["xPath", "/books/book[2]", "Invisible Cities"],
  ]);
  expect((await second.submit("Send")).text).not.toContain("Failed");
  await target.close();
});

/** The open sections. */
const openSections = (page: FormPage) =>
  [...page.html.matchAll(/<details ([^>]*data-section[^>]*)>/g)].flatMap(([, attributes]) =>
    / open=""/.test(` ${attributes}`) ? [/id="([^"]+)"/.exec(attributes!)![1]] : [],
  );

test("sections with content are open, and so is one with an error, which it reports", async () => {
  const form = await openNewTest("get", "/books/{bookId}");
  expect(openSections(form)).toEqual(["parameters", "headers", "authorization", "assertions-card"]);
  const refused = await form.submit("Save", { timeoutMilliseconds: "soon" });
  expect(openSections(refused)).toEqual(["parameters", "headers", "authorization", "assertions-card", "running"]);
  expect(refused.text).toMatch(/Retries, time-out and location\s*1 error/);
  const stored = await refused.submit("Save", { sections: "rows running" });
  expect(openSections(stored)).toEqual(["rows", "running"]);
});

test("a wait is saved, shown again and removed; errors are at its fields and keep what was typed", async () => {
  const form = await openNewTest("get", "/books/{bookId}");
  const every = "waitUntil.everySeconds";
  const refused = await form.submit("Save", { name: "Waits", [every]: "often" });
  expect(refused.text).toMatch(/Wait until it passes\s*2 errors/);
  expect(refused.text).toContain("Write the pause as a number, such as 5 or 0.5");
  expect(refused.text).toContain("Enter the longest wait too, or leave both empty");
  expect(refused.value(every)).toBe("often");
  const tooLong = await refused.submit("Save", { [every]: "0.5", "waitUntil.atMostSeconds": "301" });
  expect(tooLong.text).toContain("At most 300 seconds");
  const retried = await tooLong.submit("Save", { "waitUntil.atMostSeconds": "30", "retry.attempts": "2" });
  expect(retried.text).toContain("A test that waits is not retried");
  expect(retried.value(every)).toBe("0.5");
  const stored = await retried.submit("Save", { "retry.attempts": "1" });
  expect([stored.value(every), stored.value("waitUntil.atMostSeconds")]).toEqual(["0.5", "30"]);
  expect(openSections(stored)).toContain("waiting");
  const getWait = async () =>
    requireValue(await portal.backend.testRegistry.getTest({ params: { testId: getTestId(stored) } }), "get").waitUntil;
  expect(await getWait()).toEqual({ everySeconds: 0.5, atMostSeconds: 30 });
  await stored.submit("Save", { [every]: "", "waitUntil.atMostSeconds": "" });
  expect(await getWait()).toBeUndefined();
});

test("the displayed address is the one of the request, and the reason is given for a request that can't be sent", async () => {
  const form = await openNewTest("get", "/books/{bookId}");
  expect(form.text).toContain(`${targetApi.origin}/books/1`);
  const sent = await form.submit("Send", { "request.pathParameters[0].value": "a b/c" });
  expect(sent.text).toContain(`${targetApi.origin}/books/a%20b%2Fc`);
  expect(targetApi.requests.at(-1)?.url).toBe("/books/a%20b%2Fc");
  const added = await sent.submit("Add query parameter", { "request.pathParameters[0].value": "{{book}}" });
  expect(added.text).toContain("{{book}} has no value.");
  const row = await added.submit("Send", { data: "book\n2\n1" });
  expect(row.text).toContain(`${targetApi.origin}/books/2`);
  expect(row.text).toContain("Invisible Cities");
});

test("a pasted cURL command fills the request, asks before it replaces, and reports omitted parts", async () => {
  const form = await openNewTest("get", "/books/{bookId}");
  const curl = `curl '${targetApi.origin}/books/2?lang=en' -H 'X-Trace: 7' -H 'Authorization: Bearer s3cret'`;
  const requested = await form.submit("Fill in from the command", { curl, name: "Typed before" });
  expect(requested.text).toContain("This replaces: path parameters");
  expect(requested.value("request.pathParameters[0].value")).toBe("1");
  const filled = await requested.submit("Replace it");
  expect(filled.text).toContain("Not copied because secret: the header Authorization.");
  expect(filled.value("request.pathParameters[0].value")).toBe("2");
  expect(filled.value("request.query[0].name")).toBe("lang");
  expect(filled.value("name")).toBe("Typed before");
  const sent = await filled.submit("Send");
  expect(targetApi.requests.at(-1)?.url).toBe("/books/2?lang=en");
  expect(targetApi.requests.at(-1)?.headers).toMatchObject({ "x-trace": "7" });
  expect(sent.html).not.toContain("s3cret");
  const other = await sent.submit("Fill in from the command", { curl: "curl https://api.test/authors/1" });
  expect(other.errors("curl")).toBe(
    "The command's path is /authors/1, which is not /books/{bookId}. Nothing was filled in.",
  );
});

test("a body that is no JSON is reported and sent nevertheless", async () => {
  const form = await openNewTest("post", "/books");
  const sent = await form.submit("Send", { "request.authorization.kind": "none", "request.body.json": '{"title": ' });
  expect(sent.text).toContain("Not valid JSON (line 1, column 11: a value is missing)");
  expect(targetApi.requests.at(-1)?.body).toBe('{"title": ');
  const saved = await sent.submit("Save");
  expect(saved.address).toMatch(/\/edit$/);
  expect(saved.text).toContain("Not valid JSON");
});

test("when another user saved first, the input is kept and both choices are offered", async () => {
  const { testRegistry } = portal.backend;
  const form = await (await openNewTest("get", "/books/{bookId}")).submit("Save");
  const testId = getTestId(form);
  const mine = requireValue(await testRegistry.getTest({ params: { testId } }), "reading the test");
  await testRegistry.changeTest({ params: { testId }, body: { ...mine, name: "Theirs", tags: ["theirs"] } });

  const refused = await form.submit("Save", { name: "Mine" });
  expect(refused.text).toContain("Someone else saved this test while you were editing");
  expect(refused.text).toContain("It differs from yours in: name, tags.");
  expect(refused.value("name")).toBe("Mine");
  expect((await refused.submit("Save mine over theirs")).heading).toBe("Mine");
  const stored = requireValue(await testRegistry.getTest({ params: { testId } }), "reading the test");
  expect(stored).toMatchObject({ name: "Mine", tags: [], version: 3 });
});

test("deleting asks first, and cancelling keeps the input", async () => {
  const form = await (await openNewTest("get", "/books/{bookId}")).submit("Save");
  const stored = await (await form.submit("Delete", { name: "Half renamed" })).submit("Cancel");
  expect(stored.value("name")).toBe("Half renamed");
  const list = await (await stored.submit("Delete")).submit("Delete test");
  expect(list.url.pathname).toBe(`/test-management/${apiId}/tests`);
  expect((await visitor.open(form.address)).status).toBe(404);
});

test("a path template with slashes, braces and odd characters opens from its encoded address", async () => {
  const { apiRegistry, testRegistry } = portal.backend;
  const paths = ["/files/{file path}/:copy", "/a%2Fb/{x.y}", "/{lang}/größe"];
  const described = paths.map((path) => {
    const names = [...path.matchAll(/\{(.+?)\}/g)].map(([, name]) => name);
    const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
    const get = { summary: `Summary of ${path}`, responses: { 200: { description: "Fine" } } };
    return [path, { parameters, get }];
  });
  const document = JSON.stringify({
    openapi: "3.0.3",
    info: { title: "Odd paths", version: "1" },
    servers: [{ url: targetApi.origin }],
    paths: Object.fromEntries(described),
  });
  const { id } = requireValue(await apiRegistry.registerApi({ body: { source: { document } } }), "registering");
  for (const path of paths) {
    const form = await openNewTest("get", path, id);
    expect(form.text).toContain(`Summary of ${path}`);
    const saved = await form.submit("Save");
    expect(saved.address).toMatch(/\/edit$/);
    expect(saved.heading).not.toBe("New test");
  }
  const { items } = requireValue(await testRegistry.listTests({ params: { apiId: id } }), "listing tests");
  expect(items.map(({ path }) => path).sort()).toEqual([...paths].sort());
});

test("a new test starts with the required fields, or with all", async () => {
  const form = await openNewTest("get", "/widgets", await registerOptional());
  expect(form.text).toContain("Required fields are filled in. Start with all fields, 1 optional one too.");
  const all = await form.follow("Start with all fields");
  expect(all.text).toContain("All fields are filled in.");
  expect((await all.follow("Start with the required fields")).text).toContain("Required fields are filled in.");
});

async function registerOptional(): Promise<string> {
  const parameters = [{ name: "colour", in: "query", schema: { type: "string", enum: ["red"] } }];
  const document = JSON.stringify({
    ...{ openapi: "3.0.3", info: { title: "Widgets", version: "1" }, servers: [{ url: targetApi.origin }] },
    paths: { "/widgets": { get: { parameters, responses: { 200: { description: "ok" } } } } },
  });
  const result = await portal.backend.apiRegistry.registerApi({ body: { source: { document } } });
  return requireValue(result, "registering").id;
}

test("a secret typed into a row is said to be one, and offered to be stored as a credential without it", async () => {
  const form = await openNewTest("get", "/books/{bookId}");
  const withHeader = await form.submit("Add header");
  const typed = await withHeader.submit("Add header", {
    "request.headers[0].name": "X-Api-Key",
    "request.headers[0].value": "canary-key",
  });
  expect(typed.text).toContain("This looks like a secret");
  const link = new URL(
    /href="([^"]*credentials\/create[^"]*)"/.exec(typed.html)![1]!.replaceAll("&amp;", "&"),
    "http://of",
  );
  expect(Object.fromEntries(link.searchParams)).toEqual({
    domain: new URL(targetApi.origin).host,
    type: "apiKey",
    in: "header",
    parameterName: "X-Api-Key",
  });
  const credential = await visitor.open(link.pathname + link.search);
  expect(credential.value("domain")).toBe(new URL(targetApi.origin).host);
  expect(credential.value("settings.parameterName")).toBe("X-Api-Key");
  const changed = await typed.submit("Add header", {
    "request.headers[0].name": "X-Request-Id",
    "request.headers[0].value": "canary-key",
  });
  expect(changed.text).not.toContain("This looks like a secret");
});
