import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { bothEngines } from "../../kit/testing/databases.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths: {} });

for (const engine of bothEngines()) {
  let registry: OpenRegistry;
  beforeAll(async () => {
    registry = await openRegistry(engine);
  });
  afterAll(() => registry.close());

  test(`${engine.name}: an environment is chosen by each user for each API, until it is deleted`, async () => {
    const { client, reader, stranger } = registry;
    const { id: apiId } = requireValue(await client.registerApi({ body: { source: { document } } }), "API");
    const params = { apiId };
    const items = [
      { name: "Staging", baseUrl: "https://staging.example.com", variables: {} },
      { name: "Live", baseUrl: "https://api.example.com", variables: {} },
    ];
    await client.replaceEnvironments({ params, body: { items } });
    const chosenBy = async (caller: typeof client) =>
      requireValue(await caller.getChosenEnvironment({ params }), "choice").environment;
    expect(await chosenBy(client)).toBeNull();

    await client.chooseEnvironment({ params, body: { environment: "Staging" } });
    await client.chooseEnvironment({ params, body: { environment: "Live" } });
    expect(await chosenBy(client)).toEqual({ name: "Live", baseUrl: "https://api.example.com" });
    expect(await chosenBy(reader)).toBeNull();
    expect((await reader.chooseEnvironment({ params, body: { environment: "Staging" } })).status).toBe(200);
    expect([(await chosenBy(client))?.name, (await chosenBy(reader))?.name]).toEqual(["Live", "Staging"]);

    const unknown = await client.chooseEnvironment({ params, body: { environment: "Moon" } });
    expect(unknown).toMatchObject({ status: 422, problem: { errors: [{ path: "environment" }] } });
    expect((await stranger.getChosenEnvironment({ params })).status).toBe(404);
    expect((await stranger.chooseEnvironment({ params, body: { environment: "Live" } })).status).toBe(404);

    await client.replaceEnvironments({ params, body: { items: items.slice(0, 1) } });
    expect(await chosenBy(client)).toBeNull();
    await reader.chooseEnvironment({ params, body: { environment: null } });
    expect(await chosenBy(reader)).toBeNull();
    expect((await client.deleteApi({ params })).status).toBe(204);
  });
}
