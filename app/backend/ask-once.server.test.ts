import { expect, test } from "vitest";
import { askOnce } from "./ask-once.server";
import type { Backend } from "./backend";

/** Services that note what they are asked. */
function notingServices() {
  const asked: string[] = [];
  const service = (name: string) =>
    new Proxy(
      {},
      { get: (_, call) => async (input: object) => asked.push(`${name}.${String(call)} ${JSON.stringify(input)}`) },
    );
  const names = ["securityService", "portalService", "apiRegistry", "testRegistry", "testExecutioner", "testAnalyzer"];
  const connect = askOnce(() => Object.fromEntries(names.map((name) => [name, service(name)])) as unknown as Backend);
  return { asked, connect };
}

const params = { apiId: "a" };

test("loaders that ask for the same thing side by side are answered by one call", async () => {
  const { asked, connect } = notingServices();
  const loaders = [connect({ token: "t" }), connect({ token: "t" })];
  const answers = await Promise.all(loaders.map(({ apiRegistry }) => apiRegistry.summarizeApi({ params })));
  expect(asked).toEqual(['apiRegistry.summarizeApi {"params":{"apiId":"a"}}']);
  expect(answers[0]).toBe(answers[1]);
});

test("another question, another caller and a stream are asked for themselves", async () => {
  const { asked, connect } = notingServices();
  const one = connect({ token: "t" });
  await one.apiRegistry.summarizeApi({ params });
  await one.apiRegistry.summarizeApi({ params: { apiId: "b" } });
  await connect({ token: "u" }).apiRegistry.summarizeApi({ params });
  await one.testExecutioner.watchApi({ params });
  await one.testExecutioner.watchApi({ params });
  expect(asked).toHaveLength(5);
});

test("after a change everything is asked again, whichever service was changed", async () => {
  const { asked, connect } = notingServices();
  const { apiRegistry, testRegistry } = connect({ token: "t" });
  await apiRegistry.summarizeApi({ params });
  await testRegistry.deleteTestsOfApi({ params });
  await apiRegistry.summarizeApi({ params });
  expect(asked).toHaveLength(3);
});
