import { afterAll, expect, test } from "vitest";
import type { PlaceRule } from "#contracts/test-registry/circle-places.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { passedResult } from "../testing/agent.ts";
import { createLocatedWorld } from "../testing/located-world.ts";
import { endSilent } from "./silent-locations.ts";

type Located = Awaited<ReturnType<Awaited<ReturnType<typeof createLocatedWorld>>["makeLocated"]>>;
type TestAgent = Located["agent"];

for (const engine of testEngines()) {
  const located = await createLocatedWorld(await engine.open());
  const { world, target, get, begin, makeLocated, listMembers, close } = located;
  afterAll(close);

  const places = ({ locationId }: Pick<Located, "locationId">, rule: PlaceRule) => ({
    ...{ portal: true, locationIds: [locationId] },
    ...rule,
  });
  /** Reports everything that waits for the agent, until nothing does. */
  async function work(agent: TestAgent, verdict: "passed" | "failed", seen: string[] = []): Promise<string[]> {
    const { items } = await agent.take({ waitSeconds: 2 });
    if (items.length === 0) return seen;
    const reason = { code: "timeout", detail: "The host did not respond." };
    await agent.report(
      items.map((task) => passedResult(task, verdict === "passed" ? {} : { verdict, cause: reason as never })),
    );
    return await work(agent, verdict, [...seen, ...items.map(({ test: { id } }) => id)]);
  }
  const findLatest = async ({ tenant }: Located, testId: string) =>
    requireValue(await tenant.user.listLatestExecutions({ query: { testIds: testId } }), "latest").items[0];
  const isFailing = async ({ tenant }: Located) =>
    requireValue(await tenant.user.listFailingTests({ query: {} }), "failing tests").total !== 0;

  test(`${engine.name}: a circle from two places is one run, regional while one of both fails where both have to`, async () => {
    const made = await makeLocated();
    const { tenant, agent, testId, locationId } = made;
    const circle = await tenant.createCircle({ members: [{ testId }], places: places(made, { rule: "all" }) });
    const { id: runId } = await begin(tenant, { source: { testCircleId: circle.id } });
    await work(agent, "failed");
    await expect.poll(async () => (await get(tenant, runId)).state).toBe("finished");
    const run = await get(tenant, runId);
    expect(run).toMatchObject({
      verdict: "regional",
      counts: { tests: 1, executions: 2, passed: 1, failed: 0, regional: 1 },
      places: { rule: "all", ids: [null, locationId], seriesSize: 1 },
      reason: "The host did not respond.",
    });
    const members = await listMembers(tenant, runId);
    expect(members.map(({ verdict, isRegional }) => [verdict, isRegional])).toEqual([
      ["passed", undefined],
      ["failed", true],
    ]);
    expect(members[0]).not.toHaveProperty("locationId");
    expect(members[1]).toMatchObject({ locationId });
    expect(await findLatest(made, testId)).toMatchObject({ verdict: "regional", state: "finished" });
    expect(await isFailing(made)).toBe(false);
    const listed = await tenant.user.listRuns({ query: { verdict: "regional" } });
    expect(requireValue(listed, "runs").items.map(({ id }) => id)).toEqual([runId]);

    const { tests: _, ...changed } = { ...circle, tests: undefined };
    const registry = world.testRegistry({ token: tenant.token });
    const body = { ...changed, places: places(made, { rule: "any" }) } as never;
    requireValue(await registry.changeCircle({ params: { testCircleId: circle.id }, body }), "the circle");
    const { id: next } = await begin(tenant, { source: { testCircleId: circle.id } });
    await work(agent, "failed");
    await expect.poll(async () => (await get(tenant, next)).state).toBe("finished");
    expect(await get(tenant, next)).toMatchObject({ verdict: "failed", counts: { passed: 1, failed: 1, regional: 0 } });
    expect(await isFailing(made)).toBe(true);
  });

  test(`${engine.name}: histories are judged by the rule, and say since when each place fails`, async () => {
    const made = await makeLocated();
    const { tenant, agent, testId, locationId } = made;
    const circle = await tenant.createCircle({ members: [{ testId }], places: places(made, { rule: "any" }) });
    const run = async (verdict: "passed" | "failed") => {
      const { id } = await begin(tenant, { source: { testCircleId: circle.id } });
      await work(agent, verdict);
      await expect.poll(async () => (await get(tenant, id)).state).toBe("finished");
      return id;
    };
    await run("passed");
    const first = await run("failed");
    const second = await run("failed");
    const service = world.connect({ token: await world.identities.serviceToken(tenant.organizationId) });
    const found = await service.readHistories({ params: { runId: second }, body: { testIds: [] } });
    const [history] = requireValue(found, "histories").items;
    expect(history!.results.map(({ failure }) => failure?.verdict)).toEqual([undefined, "failed", "failed"]);
    const began = history!.results.find(({ runId }) => runId === first)!.finishedAt;
    expect(history!.results.at(-1)!.failure!.places).toEqual([
      { locationId: null, name: "the portal", state: "passing", since: null },
      { locationId, name: "Berlin", state: "failing", since: began },
    ]);
    const compared = await tenant.user.compareRun({ params: { runId: second }, query: {} });
    const { items, counts } = requireValue(compared, "a comparison");
    expect(counts).toEqual({ verdict: 0, statusCode: 0, added: 0, gone: 0 });
    expect(items.map(({ before, verdict }) => [before?.verdict, verdict])).toEqual([
      ["passed", "passed"],
      ["failed", "failed"],
    ]);
  });

  test(`${engine.name}: each place has its own order, set-up, captures and generated values`, async () => {
    const made = await makeLocated();
    const { tenant, agent, locationId } = made;
    const captures = [{ name: "token", source: "body" as const }];
    const query = [{ name: "id", value: "{{mine}}" }];
    const { id: setUp } = await tenant.createTest({ captures, request: { query } as never });
    const used = [{ name: "token", value: "{{token}}" }];
    const { id: main } = await tenant.createTest({ request: { query: used } as never });
    const circle = await tenant.createCircle({
      members: [{ testId: setUp, phase: "setUp" }, { testId: main }],
      places: places(made, { rule: "any" }),
      variables: [{ name: "mine", value: "{{$uuid}}" }],
    });
    const { id: runId } = await begin(tenant, { source: { testCircleId: circle.id } });
    const [first] = (await agent.take({ waitSeconds: 5 })).items;
    const generated = (await agent.unseal(first!)).captures.find(({ name }) => name === "mine")?.value;
    const capture = { name: "token", value: "from Berlin", isSecret: true };
    await agent.report([passedResult(first!, { captures: [capture] })]);
    const [second] = (await agent.take({ waitSeconds: 5 })).items;
    expect((await agent.unseal(second!)).captures).toContainEqual(expect.objectContaining({ value: "from Berlin" }));
    await agent.report([passedResult(second!)]);
    await expect.poll(async () => (await get(tenant, runId)).state).toBe("finished");
    expect(await get(tenant, runId)).toMatchObject({ verdict: "passed", counts: { passed: 4 } });
    const sent = target.requests.slice(-2).map(({ url }) => new URL(url!, "http://any").searchParams);
    expect(generated).toBeDefined();
    expect(sent[0]!.get("id")).not.toBe(generated);
    expect(sent[1]!.get("token")).not.toBe("from Berlin");
    const members = await listMembers(tenant, runId);
    expect(members.map((member) => member.locationId ?? "portal")).toEqual([
      "portal",
      "portal",
      locationId,
      locationId,
    ]);
  });

  test(`${engine.name}: where set-up fails, only its own place stops`, async () => {
    const made = await makeLocated();
    const { tenant, agent, testId } = made;
    const { id: setUp } = await tenant.createTest();
    const circle = await tenant.createCircle({
      members: [{ testId: setUp, phase: "setUp" }, { testId }],
      places: places(made, { rule: "atLeast", minimum: 2 }),
    });
    const { id: runId } = await begin(tenant, { source: { testCircleId: circle.id } });
    await work(agent, "failed");
    await expect.poll(async () => (await get(tenant, runId)).state).toBe("finished");
    const members = await listMembers(tenant, runId);
    expect(members.map(({ verdict }) => verdict)).toEqual(["passed", "passed", "failed", "skipped"]);
    expect(members[3]!.reason).toContain("1");
    expect(await get(tenant, runId)).toMatchObject({ verdict: "regional" });
  });

  test(`${engine.name}: a silent place is not asked, and a test counts once against the plan`, async () => {
    const made = await makeLocated();
    const { tenant, testId, agent } = made;
    await agent.take();
    const circle = await tenant.createCircle({ members: [{ testId }], places: places(made, { rule: "any" }) });
    const { id: runId } = await begin(tenant, { source: { testCircleId: circle.id } });
    const db = world.database.inSchema<ExecutionTables>(schemaName);
    const reserved = await db
      .selectFrom("unfinished_executions")
      .select("reserves")
      .where("run_id", "=", runId)
      .execute();
    expect(reserved.filter(({ reserves }) => reserves).length).toBeLessThanOrEqual(1);
    const clock = { now: () => new Date(Date.now() + 6 * 60_000) };
    await endSilent({ db, clock, publishFinished: async () => {} });
    await expect.poll(async () => (await get(tenant, runId)).state).toBe("finished");
    expect(await get(tenant, runId)).toMatchObject({ verdict: "passed", counts: { passed: 1, skipped: 1 } });
  });

  test(`${engine.name}: places take turns, a run may choose one of them, and a repetition keeps them`, async () => {
    const made = await makeLocated();
    const { tenant, agent, testId, locationId } = made;
    const circle = await tenant.createCircle({ members: [{ testId }], places: places(made, { rule: "inTurn" }) });
    const source = { testCircleId: circle.id };
    const placesOf = async (runId: string) =>
      (await listMembers(tenant, runId)).map((member) => member.locationId ?? "portal");
    const run = async (body: object) => {
      const { id } = await begin(tenant, { source, ...body } as never);
      await work(agent, "passed");
      await expect.poll(async () => (await get(tenant, id)).state).toBe("finished");
      return await placesOf(id);
    };
    expect(await run({})).toEqual(["portal"]);
    expect(await run({})).toEqual([locationId]);
    expect(await run({ locationId: "portal" })).toEqual(["portal"]);
    const both = await tenant.createCircle({ members: [{ testId }], places: places(made, { rule: "any" }) });
    const { id } = await begin(tenant, { source: { testCircleId: both.id } });
    await work(agent, "failed");
    await expect.poll(async () => (await get(tenant, id)).state).toBe("finished");
    expect(await run({ source: { runId: id, only: "failed" } })).toEqual(["portal", locationId]);
  });
}
