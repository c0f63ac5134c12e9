import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createRunWorld, type StartBody, type Tenant } from "../testing/run-world.ts";
import { respondJson, startTarget } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";

for (const engine of testEngines()) {
  let runs: Awaited<ReturnType<typeof createRunWorld>>;
  let tenant: Tenant;
  beforeAll(async () => {
    runs = await createRunWorld(await engine.open());
  });
  afterAll(() => runs.close());
  beforeEach(async () => {
    tenant = await runs.world.createTenant(runs.target.baseUrl);
  });

  /** Starts a run whose failures are reported, and returns its id. */
  async function run(body: StartBody): Promise<string> {
    const client = body.trigger === "manual" ? tenant.user : tenant.client;
    return (await runs.start({ ...tenant, client }, body)).id;
  }
  async function read(runId: string, testIds: string[] = [], organizationId = tenant.organizationId) {
    const client = runs.world.connect({ token: await runs.world.identities.serviceToken(organizationId) });
    return requireValue(await client.readHistories({ params: { runId }, body: { testIds } }), "histories");
  }
  const break_ = (status = 500) => runs.target.answer(respondJson({}, status));
  const mend = () => runs.target.answer(respondJson({}));

  test(`${engine.name}: a failed test is returned with its last results, a passing one only on request`, async () => {
    const [bad, good] = [
      await tenant.createTest({ name: "bad", tags: ["pay"] }),
      await tenant.createTest({ name: "good" }),
    ];
    const source = { tests: [bad.id, good.id] };
    mend();
    const first = await run({ source });
    runs.target.answer(({ headers }, response) => void response.writeHead(headers.bad ? 500 : 200).end("{}"));
    const input = { ...bad, request: { ...bad.request, headers: [{ name: "bad", value: "1", enabled: true }] } };
    const changed = await runs.world.testRegistry({ token: tenant.token }).changeTest({
      params: { testId: bad.id },
      body: input,
    });
    expect(changed.status).toBe(200);
    const second = await run({ source });
    mend();
    const history = await read(second);
    expect(history).toMatchObject({ testCircleId: null, isWholeCircle: false });
    expect(history.items).toMatchObject([
      {
        ...{ testId: bad.id, testName: "bad", tags: ["pay"], apiId: tenant.apiId, apiName: "Target", isMember: true },
        results: [
          { runId: first, failure: null },
          {
            runId: second,
            failure: {
              ...{ verdict: "failed", statusCode: 500, host: runs.target.host, credentialId: null, after: null },
              reason: "Expected status code 200, got 500.",
            },
          },
        ],
      },
    ]);
    const requested = await read(second, [good.id]);
    expect(requested.items.map(({ testName, results }) => [testName, results.length])).toEqual([
      ["bad", 2],
      ["good", 2],
    ]);
    expect((await read(first)).items).toEqual([]);
  });

  test(`${engine.name}: results are separate for each circle and each environment`, async () => {
    const { id } = await tenant.createTest();
    const members = [{ testId: id }];
    const [one, other] = [
      await tenant.createCircle({ members }),
      await tenant.createCircle({ members, order: "parallel" }),
    ];
    break_();
    const inOne = await run({ source: { testCircleId: one.id } });
    await run({ source: { testCircleId: other.id } });
    await run({ source: { tests: [id] } });
    const again = await run({ source: { testCircleId: one.id } });
    const history = await read(again);
    expect(history).toMatchObject({ testCircleId: one.id, testCircleName: "a circle", isWholeCircle: true });
    expect(history.items[0]!.results.map(({ runId }) => runId)).toEqual([inOne, again]);

    const elsewhere = await runs.world.createTenant(runs.target.baseUrl);
    const staging = await toTheEnd(tenant.client).runTest({
      params: { testId: id },
      body: { baseUrl: `${runs.target.baseUrl}/staging`, trigger: "ci" },
    });
    const { items } = await read(requireValue(staging, "run").runId);
    expect(items).toMatchObject([{ environment: `${runs.target.baseUrl}/staging`, results: [{}] }]);
    expect(elsewhere.organizationId).not.toBe(tenant.organizationId);
  });

  test(`${engine.name}: a failure in a manually started run does not count, a pass does`, async () => {
    const { id } = await tenant.createTest();
    const source = { tests: [id] };
    break_();
    const scheduled = await run({ source });
    const byHand = await run({ source, trigger: "manual" });
    mend();
    const mended = await run({ source, trigger: "manual" });
    expect((await read(byHand)).items[0]!.results.map(({ runId }) => runId)).toEqual([scheduled, mended]);
  });

  test(`${engine.name}: for a test with rows, or twice in a circle, the worst counts`, async () => {
    const { id } = await tenant.createTest({
      data: [{ n: "1" }, { n: "2" }, { n: "3" }],
      request: { headers: [{ name: "n", value: "{{n}}", enabled: true }] } as never,
    });
    runs.target.answer(({ headers }, response) => void response.writeHead(headers.n === "2" ? 500 : 200).end("{}"));
    const runId = await run({ source: { tests: [id] } });
    expect((await read(runId)).items[0]!.results).toMatchObject([{ runId, failure: { statusCode: 500 } }]);
    const { id: plain } = await tenant.createTest({ name: "plain" });
    let count = 0;
    runs.target.answer((_, response) => {
      count += 1;
      response.writeHead(count === 1 ? 200 : 500).end("{}");
    });
    const circle = await tenant.createCircle({ members: [{ testId: plain }, { testId: plain }] });
    const ofCircle = await run({ source: { testCircleId: circle.id } });
    expect((await read(ofCircle)).items[0]!.results).toMatchObject([{ failure: { statusCode: 500 } }]);
  });

  test(`${engine.name}: a failure after the first step of a sequential run is marked; parallel members' failures are not`, async () => {
    const [first, second] = [await tenant.createTest({ name: "log in" }), await tenant.createTest({ name: "order" })];
    break_();
    const source = { tests: [first.id, second.id] };
    const inOrder = await read(await run({ source, order: "sequential" }));
    expect(inOrder.items.map(({ results }) => results.at(-1)!.failure!.after)).toEqual([
      null,
      { testId: first.id, testName: "log in" },
    ]);
    const atOnce = await read(await run({ source, order: "parallel" }));
    expect(atOnce.items.map(({ results }) => results.at(-1)!.failure!.after)).toEqual([null, null]);
  });

  test(`${engine.name}: the unavailable host and the rejected credential are named`, async () => {
    const credentialId = await tenant.createCredential({
      ...{ name: "key", domain: runs.target.host, type: "bearer", settings: {}, secret: "canary-secret" },
    });
    const authorization = { kind: "credentials" as const, bindings: [{ schemeName: "key", credentialId }] };
    const { id } = await tenant.createTest({ request: { authorization } as never });
    break_(401);
    const refused = await read(await run({ source: { tests: [id] } }));
    expect(refused.items[0]!.results[0]!.failure).toMatchObject({ statusCode: 401, credentialId });
    break_(403);
    const forbidden = await read(await run({ source: { tests: [id] } }));
    expect(forbidden.items[0]!.results.at(-1)!.failure).toMatchObject({ statusCode: 403, credentialId: null });
    const deleted = await startTarget(respondJson({}));
    await deleted.close();
    const away = await runs.world.createTenant(deleted.baseUrl);
    const { id: orphan } = await away.createTest();
    const ended = requireValue(
      await toTheEnd(away.client).runTest({ params: { testId: orphan }, body: { trigger: "ci" } }),
      "run",
    );
    const { items } = await read(ended.runId, [], away.organizationId);
    expect(items[0]!.results[0]!.failure).toMatchObject({ verdict: "errored", host: deleted.host, statusCode: null });
    mend();
  });

  test(`${engine.name}: T01: another organization's runs are not found`, async () => {
    const { id } = await tenant.createTest();
    const runId = await run({ source: { tests: [id] } });
    const stranger = await runs.world.createTenant(runs.target.baseUrl);
    const client = runs.world.connect({ token: await runs.world.identities.serviceToken(stranger.organizationId) });
    const result = await client.readHistories({ params: { runId }, body: { testIds: [id] } });
    expect(result.status).toBe(404);
  });
}
