import type { Answer, Connect } from "../../kit/client/client.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { testRegistryContract } from "../../test-registry/contract/contract.ts";
import type { Test } from "../../test-registry/contract/tests.ts";

const testsAPage = 200;
/** Named tests up to this number are asked for one by one; beyond, reading all of the API's costs less. */
const mostSingleReads = 20;

/** The value of a success; a refusal of the other service becomes ours. */
export function requireValue<Value>(answer: Answer<Value>): Value {
  if (answer.ok) return answer.value;
  const { code, detail, errors } = answer.problem;
  throw new Problem(code, detail, { errors });
}

type TestClient = ReturnType<Connect<typeof testRegistryContract>>;

/** All enabled tests of an API, or the named ones. */
export async function loadTests(client: TestClient, apiId: string, testIds: string[] | undefined): Promise<Test[]> {
  const wanted = testIds && [...new Set(testIds)];
  if (wanted && wanted.length <= mostSingleReads) {
    const answers = await Promise.all(wanted.map((testId) => client.getTest({ params: { testId } })));
    const found = answers.flatMap((answer) => {
      if (!answer.ok && answer.status !== 404) requireValue(answer);
      return answer.ok && answer.value.apiId === apiId ? [answer.value] : [];
    });
    return requireAll(found, wanted);
  }
  const found: Test[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: testsAPage, cursor, ...(wanted ? {} : { enabled: "true" as const }) };
    const page = requireValue(await client.listTests({ params: { apiId }, query }));
    found.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return wanted ? requireAll(found, wanted) : found;
}

function requireAll(found: Test[], wanted: string[]): Test[] {
  const byId = new Map(found.map((test) => [test.id, test]));
  const missing = wanted.flatMap((id, index) =>
    byId.has(id) ? [] : [{ path: `testIds[${index}]`, message: "This API has no such test" }],
  );
  if (missing.length > 0) throw new Problem("invalid_input", undefined, { errors: missing });
  return wanted.map((id) => byId.get(id)!);
}
