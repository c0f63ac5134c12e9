import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { startTarget, type Target } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let world: ExecutionWorld;
  let target: Target;
  beforeAll(async () => {
    world = await createExecutionWorld(await engine.open());
    target = await startTarget((request, response) => {
      response.writeHead(request.url === "/missing" ? 404 : 200, { "content-type": "text/plain" });
      response.end(String(request.headers["x-key"] ?? "nothing"));
    });
  });
  afterAll(async () => {
    await world.stop();
    await world.database.close();
    await target.close();
  });

  /** A finished run of 25 tests, more than are read at once; the 23rd fails. */
  async function finishedRun() {
    const tenant = await world.createTenant(target.baseUrl);
    const tests: string[] = [];
    for (let number = 1; number <= 25; number += 1) {
      const path = number === 23 ? "/missing" : "/";
      tests.push((await tenant.createTest({ name: `Test ${number}`, path })).id);
    }
    const body = { source: { tests }, order: "sequential" as const };
    const run = requireValue(await toTheEnd(tenant.client).startRun({ body }), "run");
    return { tenant, run };
  }

  async function report(tenant: Awaited<ReturnType<ExecutionWorld["createTenant"]>>, runId: string, accept: string) {
    const result = await tenant.client.reportRun({ params: { runId }, headers: { accept } });
    if (!result.ok) return { status: result.status, code: result.problem.code, text: "", type: null };
    const { status, headers } = result.response;
    return { status, type: headers.get("content-type"), text: await result.response.text() };
  }

  test(`${engine.name}: a run is reported in the format that the caller accepts, every member in its order`, async () => {
    const { tenant, run } = await finishedRun();
    expect(run.verdict).toBe("failed");

    const json = await report(tenant, run.id, "application/json");
    const parsed = JSON.parse(json.text) as {
      run: { id: string };
      executions: { testName: string; attempts: unknown[] }[];
    };
    expect(run).toMatchObject(parsed.run);
    expect(parsed.executions.map(({ testName }) => testName)).toEqual(
      Array.from({ length: 25 }, (_, index) => `Test ${index + 1}`),
    );
    expect(parsed.executions.every(({ attempts }) => attempts.length === 1)).toBe(true);

    const junit = await report(tenant, run.id, "text/xml, */*;q=0.1");
    expect(junit.type).toBe("text/xml; charset=utf-8");
    expect(junit.text.match(/<testcase /g)).toHaveLength(25);
    expect(junit.text.match(/<testcase name="Test 23"[^>]*>\n<failure /g)).toHaveLength(1);
    expect(junit.text.match(/<failure /g)).toHaveLength(1);

    const xml = await report(tenant, run.id, "application/xml;q=0.9, */*;q=0.8");
    expect(xml).toEqual({ ...junit, type: "application/xml; charset=utf-8" });

    const har = await report(tenant, run.id, "application/har+json");
    const { entries } = (JSON.parse(har.text) as { log: { entries: { response: { status: number } }[] } }).log;
    expect(entries.map(({ response }) => response.status).filter((status) => status === 404)).toHaveLength(1);
    expect(entries).toHaveLength(25);
  });

  test(`${engine.name}: a run itself is a JUnit report for those who prefer XML, and JSON for all others`, async () => {
    const { tenant, run } = await finishedRun();
    const read = async (accept?: string) => {
      const headers = new Headers({ authorization: `Bearer ${tenant.token}`, ...(accept ? { accept } : {}) });
      return await world.service.app.fetch(new Request(`http://localhost/api/v1/runs/${run.id}`, { headers }));
    };
    for (const accept of ["application/xml", "application/junit+xml"]) {
      const response = await read(accept);
      expect(response.headers.get("content-type")).toBe(`${accept}; charset=utf-8`);
      expect(await response.text()).toBe((await report(tenant, run.id, accept)).text);
    }
    for (const accept of [undefined, "*/*", "text/html", "application/json, application/xml;q=0.5"]) {
      const response = await read(accept);
      expect([response.headers.get("vary"), ((await response.json()) as { id: string }).id]).toEqual([
        expect.stringMatching(/accept/i),
        run.id,
      ]);
    }
  });

  test(`${engine.name}: a format without a report is refused, and another organization's run is not found`, async () => {
    const { tenant, run } = await finishedRun();
    expect(await report(tenant, run.id, "text/html")).toMatchObject({ status: 406, code: "not_acceptable" });
    const stranger = await world.createTenant(target.baseUrl);
    expect(await report(stranger, run.id, "*/*")).toMatchObject({ status: 404, code: "not_found" });
  });

  test(`${engine.name}: a report contains no secret`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const secret = "open-sesame-4711";
    const credentialId = await tenant.createCredential({
      name: "key",
      domain: target.host,
      type: "apiKey",
      settings: { in: "header", parameterName: "X-Key" },
      secret,
    });
    const { id } = await tenant.createTest({
      request: {
        authorization: { kind: "credentials", bindings: [{ schemeName: "", credentialId }] },
      } as never,
    });
    const body = { source: { tests: [id] } };
    const run = requireValue(await toTheEnd(tenant.client).startRun({ body }), "run");
    for (const accept of ["application/json", "text/xml", "application/har+json"]) {
      const { text } = await report(tenant, run.id, accept);
      expect(text).toContain(target.host);
      expect(text).not.toContain(secret);
    }
    expect((await report(tenant, run.id, "application/har+json")).text).toContain("[secret]");
  });

  test(`${engine.name}: one execution is reported as its run would be with it alone`, async () => {
    const { tenant, run } = await finishedRun();
    const [failed] = run.firstFailures;
    const params = { executionId: failed!.executionId };
    const reportOne = async (accept: string) => {
      const result = await tenant.client.reportExecution({ params, headers: { accept } });
      return result.ok ? await result.response.text() : result.problem.code;
    };
    const json = JSON.parse(await reportOne("application/json"));
    expect(json).toMatchObject({
      run: { id: run.id, verdict: "failed", counts: { tests: 1, executions: 1, failed: 1, passed: 0 } },
      executions: [{ testName: "Test 23", attempts: [{ number: 1 }] }],
    });
    expect(json.executions).toHaveLength(1);
    expect((await reportOne("application/junit+xml")).match(/<testcase /g)).toHaveLength(1);
    const har = JSON.parse(await reportOne("application/har+json"));
    expect(har.log.entries).toHaveLength(1);
    expect(await reportOne("text/html")).toBe("not_acceptable");
    const stranger = await world.createTenant(target.baseUrl);
    expect((await stranger.client.reportExecution({ params })).status).toBe(404);
  });
}
