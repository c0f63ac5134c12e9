import { Problem } from "#contracts/kit/problem.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { CallResult, Connect } from "../../kit/client/client.ts";

const testsAPage = 200;

/** The value of a success; a refusal by the other service is passed on. */
export function requireValue<Value>(result: CallResult<Value>): Value {
  if (result.ok) return result.value;
  const { code, detail, errors } = result.problem;
  throw new Problem(code, detail, { errors });
}

type TestClient = ReturnType<Connect<typeof testRegistryContract>>;

/** All tests of an API, or the enabled ones, by name. */
export async function loadTestsOfApi(client: TestClient, apiId: string, onlyEnabled: boolean): Promise<Test[]> {
  const found: Test[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: testsAPage, cursor, ...(onlyEnabled ? { enabled: "true" as const } : {}) };
    const page = requireValue(await client.listTests({ params: { apiId }, query }));
    found.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return found;
}

/** The named tests that exist, of any APIs. */
export async function loadNamedTests(client: TestClient, testIds: string[]): Promise<Map<string, Test>> {
  const unique = [...new Set(testIds)];
  const found = new Map<string, Test>();
  for (let start = 0; start < unique.length; start += testsAPage) {
    const ids = unique.slice(start, start + testsAPage).join();
    const { items } = requireValue(await client.listAllTests({ query: { ids, limit: testsAPage } }));
    for (const test of items) found.set(test.id, test);
  }
  return found;
}

/**
 * The named tests in the given order, each once.
 * @param path of the list in the call, for the problem
 */
export async function requireNamedTests(
  client: TestClient,
  testIds: string[],
  { path, apiId }: { path: string; apiId?: string },
): Promise<Test[]> {
  const wanted = [...new Set(testIds)];
  const found = await loadNamedTests(client, wanted);
  const isThere = (id: string) => found.has(id) && (!apiId || found.get(id)!.apiId === apiId);
  const missing = wanted.flatMap((id, index) =>
    isThere(id) ? [] : [{ path: `${path}[${index}]`, message: apiId ? "This API has no such test" : "No such test" }],
  );
  if (missing.length > 0) throw new Problem("invalid_input", undefined, { errors: missing });
  return wanted.map((id) => found.get(id)!);
}
