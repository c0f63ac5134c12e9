import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { fixture } from "../testing/fixtures.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  let params: { apiId: string };
  beforeAll(async () => {
    registry = await openRegistry(engine);
    const { document } = fixture("valid", "swagger-petstore-v30.yaml");
    params = { apiId: await registry.register({ source: { document } }) };
  });
  afterAll(() => registry.close());

  const read = async () => requireValue(await registry.client.getVariables({ params }), "reading").variables;

  test(`${engine.name}: variables of an API are set one by one, concurrently too, or replaced as a whole`, async () => {
    expect(await read()).toEqual({});
    const set = (variables: Record<string, string>) => registry.client.setVariables({ params, body: { variables } });
    await Promise.all([set({ petId: "4711" }), set({ tenant: "acme" })]);
    requireValue(await set({ petId: "\u0000 4712" }), "setting");
    expect(await read()).toEqual({ petId: "\u0000 4712", tenant: "acme" });
    const { variables } = requireValue(await registry.client.getApi({ params }), "the API");
    expect(variables).toEqual({ petId: "\u0000 4712", tenant: "acme" });
    requireValue(await registry.client.replaceVariables({ params, body: { variables: { tenant: "b" } } }), "all");
    expect(await read()).toEqual({ tenant: "b" });
  });

  test(`${engine.name}: names that no test could reference are refused, and so is a missing API`, async () => {
    const wrong = await registry.client.setVariables({ params, body: { variables: { "no name": "x" } } });
    expect(wrong.status).toBe(422);
    const nowhere = { apiId: "01900000-0000-7000-8000-000000000000" };
    expect((await registry.client.getVariables({ params: nowhere })).status).toBe(404);
    expect((await registry.client.setVariables({ params: nowhere, body: { variables: {} } })).status).toBe(404);
  });

  test(`${engine.name}: only names of variables are recorded`, async () => {
    requireValue(await registry.client.replaceVariables({ params, body: { variables: { key: "hush" } } }), "all");
    const records = await registry.client.listAuditRecords({ query: { kind: "variables", limit: 1 } });
    const [record] = requireValue(records, "records").items;
    expect(record).toMatchObject({ operation: "replaceVariables", after: { variables: ["key"] } });
  });
}
