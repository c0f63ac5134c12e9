import { afterAll, afterEach } from "vitest";
import type { Run } from "#contracts/test-executioner/runs.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import type { TestEngine } from "../../kit/testing/databases.ts";
import { createRunWorld, type Tenant } from "./run-world.ts";

type Ways = Partial<Omit<Parameters<Tenant["createCircle"]>[0], "members">>;
export type Members = [
  phase: "setUp" | "main" | "tearDown",
  name: string,
  input?: Partial<TestInput>,
  effect?: "makes" | "allowed",
][];

export const asks = (...names: string[]): Partial<TestInput> => ({
  request: { query: names.map((name) => ({ name, value: `{{${name}}}`, enabled: true })) } as never,
});
export const gives = (name: string): Pick<TestInput, "captures"> => ({
  captures: [{ name, source: "jsonPath", property: "$.token" }],
});
export const ends = ({ members }: Run) =>
  members.items.map(({ phase, testName, state, verdict }) => `${phase} ${testName} ${verdict ?? state}`);

/** A world whose target has circles' members at their names, for the tests of a file. */
export async function createCircleWorld(engine: TestEngine) {
  const runs = await createRunWorld(await engine.open(), { withAnalyzer: true });
  const { world, target, start, get, close } = runs;
  afterEach(() => world.settle());
  afterAll(close);

  async function makeCircle(tenant: Tenant, members: Members, ways: Ways = {}) {
    const named = [];
    for (const [phase, name, input, effect] of members) {
      named.push({ phase, effect, testId: (await tenant.createTest({ name, path: `/${name}`, ...input })).id });
    }
    return (await tenant.createCircle({ members: named, ...ways })).id;
  }
  async function runCircle(members: Members, ways: Ways = {}) {
    const tenant = await world.createTenant(target.baseUrl);
    const testCircleId = await makeCircle(tenant, members, ways);
    const before = target.requests.length;
    const { id } = await start(tenant, { source: { testCircleId } });
    const run = await get(tenant, id);
    return { tenant, testCircleId, run, urls: target.requests.slice(before).map(({ url }) => url) };
  }
  /** Responds with 500 on these paths, with a token on all others. */
  const failing = (...paths: string[]) =>
    target.answer((request, response) => {
      const status = paths.includes(request.url!.replace(/\?.*/, "")) ? 500 : 200;
      response.writeHead(status, { "content-type": "application/json" }).end('{"token":"t1"}');
    });
  return { ...runs, makeCircle, runCircle, failing };
}
