import { expect, test } from "vitest";
import { askOnce } from "./ask-once.server";
import type { Backend } from "./backend";

/** Services that record their calls. */
function notingServices() {
  const requested: string[] = [];
  const service = (name: string) =>
    new Proxy(
      {},
      { get: (_, call) => async (input: object) => requested.push(`${name}.${String(call)} ${JSON.stringify(input)}`) },
    );
  const names = ["securityService", "portalService", "apiRegistry", "testRegistry", "testExecutioner", "testAnalyzer"];
  const connect = askOnce(() => Object.fromEntries(names.map((name) => [name, service(name)])) as unknown as Backend);
  return { asked: requested, connect };
}

const params = { apiId: "a" };

test("concurrent loaders with the same query share one call", async () => {
  const { asked, connect } = notingServices();
  const loaders = [connect({ token: "t" }), connect({ token: "t" })];
  const results = await Promise.all(loaders.map(({ apiRegistry }) => apiRegistry.summarizeApi({ params })));
  expect(asked).toEqual(['apiRegistry.summarizeApi {"params":{"apiId":"a"}}']);
  expect(results[0]).toBe(results[1]);
});

test("another query, another caller and a stream get calls of their own", async () => {
  const { asked, connect } = notingServices();
  const one = connect({ token: "t" });
  await one.apiRegistry.summarizeApi({ params });
  await one.apiRegistry.summarizeApi({ params: { apiId: "b" } });
  await connect({ token: "u" }).apiRegistry.summarizeApi({ params });
  await one.testExecutioner.watchApi({ params });
  await one.testExecutioner.watchApi({ params });
  expect(asked).toHaveLength(5);
});

test("a POST that only reads invalidates no result", async () => {
  const { asked, connect } = notingServices();
  const { apiRegistry, testAnalyzer } = connect({ token: "t" });
  await apiRegistry.summarizeApi({ params });
  await testAnalyzer.suggestTests({ params, body: {} });
  await apiRegistry.summarizeApi({ params });
  expect(asked).toHaveLength(2);
});

test("after a change every query is repeated, whichever service was changed", async () => {
  const { asked, connect } = notingServices();
  const { apiRegistry, testRegistry } = connect({ token: "t" });
  await apiRegistry.summarizeApi({ params });
  await testRegistry.deleteTestsOfApi({ params });
  await apiRegistry.summarizeApi({ params });
  expect(asked).toHaveLength(3);
});

test("a service that fails to answer is reported by name; one that refuses is not", async () => {
  const problem = { type: "about:blank", title: "", code: "", detail: "" };
  const results: Record<string, object> = {
    listTests: { ok: false, status: 503, problem: { ...problem, service: "api-registry" } },
    countTests: { ok: false, status: 500, problem },
    getTest: { ok: false, status: 404, problem },
    deleteTest: { ok: false, status: 503, problem },
  };
  const testRegistry = new Proxy({}, { get: (_, call) => async () => results[String(call)] });
  const reported: string[] = [];
  const connect = askOnce(
    () => ({ ...notingServices().connect({}), testRegistry }) as Backend,
    (service) => reported.push(service),
  );
  const { testRegistry: client } = connect({ token: "t" });
  await client.getTest({ params: { testId: "t" } });
  await client.deleteTest({ params: { testId: "t" } });
  expect(reported).toEqual([]);
  await client.listTests({ params });
  await client.countTests();
  await client.countTests();
  expect(reported).toEqual(["api-registry", "test-registry"]);
});

test("a service that does not respond is not called again for the same page until something is changed", async () => {
  const problem = { type: "about:blank", title: "", code: "service_unavailable", detail: "", service: "test-registry" };
  const requested: string[] = [];
  const testRegistry = new Proxy(
    {},
    {
      get: (_, call) => async () => {
        requested.push(String(call));
        return { ok: false, status: 503, problem };
      },
    },
  );
  const services = notingServices();
  const connect = askOnce(() => ({ ...services.connect({}), testRegistry }) as Backend);
  const backend = connect({ token: "t" });
  await backend.testRegistry.listTests({ params });
  expect(await backend.testRegistry.countTests()).toMatchObject({ ok: false, problem: { service: "test-registry" } });
  await backend.apiRegistry.summarizeApi({ params });
  expect([requested, services.asked.length]).toEqual([["listTests"], 1]);
  await backend.testRegistry.deleteTest({ params: { testId: "t" } });
  await backend.testRegistry.countTests();
  expect(requested).toEqual(["listTests", "deleteTest", "countTests"]);
});
