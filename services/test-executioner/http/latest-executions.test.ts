import { afterAll, afterEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createRunWorld } from "../testing/run-world.ts";

for (const engine of testEngines()) {
  const { world, target, close } = await createRunWorld(await engine.open());
  afterEach(() => world.settle());
  afterAll(close);

  test(`${engine.name}: an API's tests are listed by their last verdicts, newest first, with their recent verdicts`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { apiId, client } = tenant;
    const expecting = { source: "statusCode" as const, comparison: "equals" as const, target: "{{expected}}" };
    const [first, second, third] = await Promise.all(
      ["first", "second", "third"].map((name) => tenant.createTest({ name, assertions: [expecting] })),
    );
    await tenant.createTest({ name: "never ran" });
    const run = async (testId: string, expected: string) => (await tenant.run(testId, { variables: { expected } })).id;
    const executions = [
      await run(first!.id, "200"),
      await run(first!.id, "500"),
      await run(second!.id, "200"),
      await run(third!.id, "500"),
    ];
    const list = async (query: object) =>
      requireValue(await client.listLatestOfApi({ params: { apiId }, query }), "list");
    const getTests = async (query: object) => (await list(query)).items.map(({ testId }) => testId);
    expect(await getTests({})).toEqual([third!.id, second!.id, first!.id]);
    expect(await getTests({ verdict: "failed" })).toEqual([third!.id, first!.id]);
    const page = await list({ verdict: "failed", limit: 1 });
    expect(await getTests({ verdict: "failed", limit: 1, cursor: page.nextCursor })).toEqual([first!.id]);

    const testIds = `${first!.id},${second!.id}`;
    const { items } = requireValue(await client.listLatestExecutions({ query: { testIds, recent: 2 } }), "latest");
    const getRecent = (testId: string) => items.find((one) => one.testId === testId)!.recent;
    expect(getRecent(first!.id)).toMatchObject([
      { executionId: executions[1], verdict: "failed", reason: "Expected status code 500, got 200." },
      { executionId: executions[0], verdict: "passed", reason: null },
    ]);
    expect(getRecent(second!.id)).toHaveLength(1);
    const bare = requireValue(await client.listLatestExecutions({ query: { testIds } }), "latest");
    expect(bare.items[0]!.recent).toBeUndefined();
  });

  test(`${engine.name}: they are sorted by verdict and by last run, page by page, also where many are equal`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const { apiId, client } = tenant;
    const expecting = { source: "statusCode" as const, comparison: "equals" as const, target: "{{expected}}" };
    const ids: string[] = [];
    for (const [index, expected] of ["200", "500", "200", "500", "200"].entries()) {
      const { id } = await tenant.createTest({ name: `test ${index}`, assertions: [expecting] });
      await tenant.run(id, { variables: { expected } });
      ids.push(id);
    }
    const list = async (sort: "lastRun" | "-lastRun" | "verdict" | "-verdict") => {
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const query = { sort, cursor, limit: 2 };
        const page = requireValue(await client.listLatestOfApi({ params: { apiId }, query }), "list");
        pages.push(page.items.map(({ testId }) => `${ids.indexOf(testId)}`));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      return pages;
    };
    expect(await list("lastRun")).toEqual([["0", "1"], ["2", "3"], ["4"]]);
    expect(await list("-lastRun")).toEqual([["4", "3"], ["2", "1"], ["0"]]);
    expect(await list("verdict")).toEqual([["3", "1"], ["4", "2"], ["0"]]);
    expect(await list("-verdict")).toEqual([["4", "2"], ["0", "3"], ["1"]]);
    const forged = await client.listLatestOfApi({ params: { apiId }, query: { sort: "verdict", cursor: "WyJhIl0" } });
    expect(forged.status).toBe(400);
  });
}
