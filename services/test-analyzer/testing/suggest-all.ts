import { requireValue } from "../../kit/client/client.ts";
import type { createTestAnalyzerWorld } from "./world.ts";

type World = Awaited<ReturnType<typeof createTestAnalyzerWorld>>;

/** Suggestions for each operation of a document, in order. */
export async function suggestAll(
  world: World,
  document: string,
  files: { fileName?: string; files?: Record<string, string> } = {},
) {
  const tenant = await world.createTenant();
  const apiId = await tenant.registerApi(document, files);
  const operations = await tenant.listOperations(apiId);
  const suggestions = [];
  for (let from = 0; from < operations.length; from += 50) {
    const body = { operations: operations.slice(from, from + 50).map(({ method, path }) => ({ method, path })) };
    const result = await tenant.client.suggestTests({ params: { apiId }, body });
    suggestions.push(...requireValue(result, "suggest").items);
  }
  return { operations, suggestions };
}
