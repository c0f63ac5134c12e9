import { afterAll, beforeAll, expect, test } from "vitest";
import { repetitions } from "../../tests/support/endurance.ts";
import { testEngines } from "../kit/testing/databases.ts";
import { fixturesIn } from "./testing/fixtures.ts";
import { type OpenRegistry, openRegistry } from "./testing/registry.ts";

const operationCounts: Record<string, number> = {
  "discord-v31.json": 242,
  "multifile-openapi-starter": 12,
  "multifile-learn-petstore-separate-v2": 4,
  "readmeio-v30-parameters-style.yaml": 25,
  "firecracker-v2.yaml": 38,
};

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  beforeAll(async () => {
    registry = await openRegistry(engine);
  });
  afterAll(() => registry.close());

  for (const { name, document, fileName, files } of fixturesIn("valid")) {
    test(`${engine.name}: ${name} registers without errors, and its operations open`, async () => {
      const { client } = registry;
      const registered = await client.registerApi({ body: { source: { document, fileName, files } } });
      if (!registered.ok) throw new Error(JSON.stringify(registered.problem));
      expect(registered.status).toBe(201);
      const apiId = registered.value.id;
      const api = await client.getApi({ params: { apiId } });
      if (!api.ok) throw new Error(JSON.stringify(api.problem));
      expect(api.value.problems.filter(({ severity }) => severity === "error")).toEqual([]);
      if (name in operationCounts) expect(api.value.operationCount).toBe(operationCounts[name]);

      const operations = [];
      let cursor: string | null = null;
      do {
        const page = await client.listOperations({
          params: { apiId },
          query: { limit: 200, ...(cursor ? { cursor } : {}) },
        });
        if (!page.ok) throw new Error(JSON.stringify(page.problem));
        operations.push(...page.value.items);
        cursor = page.value.nextCursor;
      } while (cursor);
      expect(operations.length).toBe(api.value.operationCount);
      const step = Math.ceil(operations.length / repetitions(40, 1_000));
      for (const { method, path } of operations.filter((_, index) => index % step === 0)) {
        const opened = await client.getOperation({ params: { apiId, method, pathName: path } });
        if (!opened.ok) throw new Error(`${method} ${path}: ${JSON.stringify(opened.problem)}`);
        const { operation, components } = opened.value;
        expect([operation.method, operation.path]).toEqual([method, path]);
        expect(referencesIn([operation, components]).filter((reference) => !(reference in components))).toEqual([]);
      }
      for (const { name: webhookName, method } of api.value.webhooks) {
        const opened = await client.getWebhook({ params: { apiId, method, webhookName } });
        expect(opened.status).toBe(200);
      }
    });
  }
}

function referencesIn(value: unknown, found: string[] = []): string[] {
  if (Array.isArray(value)) for (const item of value) referencesIn(item, found);
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (key === "$ref" && typeof member === "string") found.push(member);
      else if (key !== "sample" && key !== "examples" && key !== "example") referencesIn(member, found);
    }
  }
  return found;
}
