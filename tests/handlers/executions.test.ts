import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { withoutAges } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { registerApi } from "../support/portal-backend.ts";

let portal: HandledPortal;
let target: Target;
let visitor: Visitor;
beforeAll(async () => {
  [portal, target] = await Promise.all([openHandledPortal(), startTarget(() => {})]);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await target.close();
});

const price = { type: "object", required: ["amount"], properties: { amount: { type: "number" } } };
const content = { "application/json": { schema: { $ref: "#/components/schemas/Price" } } };

/** The target describes itself. */
function answerWith(amount: unknown, status = 200) {
  target.answer(({ url }, response) => {
    const document = {
      openapi: "3.0.3",
      info: { title: "Shop", version: "1" },
      servers: [{ url: target.baseUrl }],
      paths: { "/price": { get: { responses: { 200: { description: "ok", content } } } } },
      components: { schemas: { Price: price } },
    };
    const body = url === "/openapi.json" ? document : { amount };
    response.writeHead(url === "/openapi.json" ? 200 : status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
}

/** A test of the price, and the function that runs it: the address of the execution. */
async function makeTest() {
  answerWith(12.5);
  const { backend } = portal;
  const apiId = await registerApi(backend, `${target.baseUrl}/openapi.json`);
  const body = {
    ...{ name: "Asks for the price", method: "get", path: "/price", request: {} },
    assertions: [{ source: "statusCode" as const, comparison: "equals" as const, target: 200 }],
    checks: ["response_schema_conformance" as const],
  };
  const { id: testId } = requireValue(await backend.testRegistry.createTest({ params: { apiId }, body }), "test");
  return {
    testId,
    run: async () => {
      const requested = await toTheEnd(backend.testExecutioner).runTest({ params: { testId }, body: {} });
      const { id } = requireValue(requested, "execution");
      return `/test-management/${apiId}/tests/${testId}/executions/${id}`;
    },
  };
}

test("an execution with the same response as an earlier one says so, leads to it, and displays it", async () => {
  const { run } = await makeTest();
  const first = await run();
  expect((await visitor.open(`${first}/results`)).text).not.toContain("The response was the same");
  const second = await visitor.open(`${await run()}/results`);
  expect(second.text).toMatch(/The response was the same as in the execution of .* UTC, which has its body/);
  expect(second.html).toContain(`href="${first}/results"`);
  expect(second.text).toContain('"amount": 12.5');
});

test("an execution begins with what broke, since when, and what has changed since it passed", async () => {
  const { run } = await makeTest();
  const passed = await run();
  expect((await visitor.open(`${passed}/verifications`)).text).toContain("Passed");
  answerWith("12.50");
  await run();
  const failed = await visitor.open(`${await run()}/verifications`);
  expect(failed.heading).toBe("Asks for the price");
  expect(failed.text).toMatch(
    /\$\.amount: expected a number, found "12\.50" \(a string\)\. ?Failing for 2 runs: it passed last on/,
  );
  expect(failed.text).toMatch(/Since then: ?\$\.amount "12\.50", was 12\.5/);
  expect(failed.text).toMatch(
    /Documented schema Price · open in the reference.*"amount": \{.*"type": "number" ?expected a number/,
  );
  expect((await failed.follow("open in the reference")).heading).toBe("Price");
  expect(failed.text).toMatch(/Verifications: 1 failed, 1 passed/);
  const results = await visitor.open(failed.address.replace("verifications", "results"));
  expect(withoutAges(results.text)).toBe(withoutAges(failed.text));
});

test("of a response that is cut off, the part that came is displayed, judged where it can be, and reported", async () => {
  const { run } = await makeTest();
  target.answer((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100", "x-id": "7" });
    response.write('{"amount":12.5,"cur', () => response.destroy());
  });
  const page = await visitor.open(`${await run()}/results`);
  expect(page.text).toMatch(/This response is incomplete ?The server closed the connection before the response/);
  expect(page.text).toMatch(/It failed [\d.,]+ m?s into the response\. The received part is below\./);
  expect(page.text).toContain("Response: 200 OK");
  expect(page.text).toContain('{"amount":12.5,"cur');
  expect(page.text).toContain("x-id");
  expect(page.text).toContain("The body is incomplete, so it can't be judged as a whole.");
  const archive = await page.follow("HTTP Archive (HAR)");
  expect(JSON.parse(archive.html).log.entries[0].response).toMatchObject({
    status: 200,
    content: { text: '{"amount":12.5,"cur' },
  });
});

test("of a body of 3 MB the beginning is displayed, and all of it was judged", async () => {
  const { run } = await makeTest();
  const names = Array.from({ length: 100_000 }, (_, index) => `a name that is long enough ${index}`);
  target.answer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ names, amount: 12.5 }));
  });
  const page = await visitor.open(`${await run()}/results`);
  expect(page.text).toContain("Passed");
  expect(page.text).toMatch(/The first 1\.0 MB of 3\.\d MB are kept; all of it was judged\./);
});

test("the request is available as a command, and the execution as an archive", async () => {
  const { run } = await makeTest();
  const page = await visitor.open(`${await run()}/results`);
  expect(page.text).toContain(`curl '${target.baseUrl}/price'`);
  const archive = await page.follow("HTTP Archive (HAR)");
  expect(archive.headers.get("content-type")).toBe("application/har+json");
  expect(JSON.parse(archive.html).log.entries).toHaveLength(1);
});

test("the actual response is accepted as expected after asking, except where the test was changed meanwhile", async () => {
  const { testId, run } = await makeTest();
  const { testRegistry } = portal.backend;
  const read = async () => requireValue(await testRegistry.getTest({ params: { testId } }), "test");
  answerWith(12.5, 201);
  const page = await visitor.open(`${await run()}/verifications`);
  const requested = await page.follow("Update expected value");
  expect(requested.text).toContain("Asks for the price now expects: Status code equals 201.");
  expect((await requested.follow("Cancel")).address).toBe(page.address);
  expect((await read()).assertions).toMatchObject([{ target: 200 }]);
  const late = await page.follow("Update expected value");
  const accepted = await requested.submit("Update expected value");
  expect(accepted.text).toContain("Asks for the price now expects: Status code equals 201.");
  expect(await read()).toMatchObject({ version: 2, assertions: [{ comparison: "equals", target: 201 }] });
  expect((await late.submit("Update expected value")).text).toContain("Asks for the price stays as it is");
  expect((await page.follow("Update expected value")).text).toContain("This can't be accepted");
});

test("requests to hosts that the organization chose carry a trace context, and the execution links to the tracer", async () => {
  const { run } = await makeTest();
  const before = await visitor.open(`${await run()}/results`);
  expect(before.text).toContain("Response: 200 OK");
  expect(before.text).not.toContain("Trace ");
  const settings = await visitor.open("/administration/tracing");
  const refused = await settings.submit("Save", { hosts: `${target.host} *.com`, linkTemplate: "https://t.example/" });
  expect([refused.status, refused.value("hosts")]).toEqual([422, `${target.host} *.com`]);
  expect(refused.errors("linkTemplate")).toContain("Write {traceId} where the trace's id belongs");
  const linkTemplate = "https://tracer.example.com/trace/{traceId}";
  const other = await refused.submit("Save", { linkTemplate });
  expect(other.errors("hosts")).toContain("*.com: A wildcard needs a name with at least two parts");
  await other.submit("Save", { hosts: target.host });

  // The rules of a host are used for a second.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const page = await visitor.open(`${await run()}/results`);
  const [, traceId, spanId] = String(target.requests.at(-1)!.headers.traceparent).split("-");
  expect(page.html).toContain(`href="https://tracer.example.com/trace/${traceId}"`);
  expect(page.text).toContain(`span ${spanId}`);
});
