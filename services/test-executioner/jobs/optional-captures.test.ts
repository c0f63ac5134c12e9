import { expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { asks, createCircleWorld, ends, type Members } from "../testing/circle-world.ts";
import { respondJson } from "../testing/target.ts";

const finds = (name: string, property = "$[0].id") => ({
  captures: [{ name, source: "jsonPath" as const, property, optional: true }],
});

for (const engine of testEngines()) {
  const { target, world, start, get, runCircle } = await createCircleWorld(engine);
  const reasons = ({ members }: Awaited<ReturnType<typeof get>>) => members.items.map(({ reason }) => reason);

  test(`${engine.name}: a test that needs what an optional capture did not find is skipped, and its run has passed`, async () => {
    target.answer(respondJson([]));
    const members: Members = [
      ["main", "books", { ...finds("bookId"), path: "/books" }],
      ["main", "read", { ...asks("bookId"), ...finds("authorId") }],
      ["main", "author", asks("authorId")],
      ["main", "other"],
      ["tearDown", "remove", { ...asks("bookId"), method: "delete" }],
    ];
    const { run, urls, tenant } = await runCircle(members);
    expect(ends(run)).toEqual([
      "main books passed",
      "main read skipped",
      "main author skipped",
      "main other passed",
      "tearDown remove skipped",
    ]);
    expect(urls).toEqual(["/books", "/other"]);
    expect(run).toMatchObject({
      verdict: "passed",
      reason: null,
      counts: { passed: 2, skipped: 3 },
      firstFailures: [],
    });
    expect(reasons(run)).toEqual([
      null,
      "{{bookId}} has no value: the response to GET /books has none.",
      "{{authorId}} has no value: GET /read was not run.",
      null,
      "{{bookId}} has no value: the response to GET /books has none.",
    ]);
    expect(run.captures).toContainEqual({ name: "bookId", value: null, secret: false, type: null, position: 1 });
    const { executionId } = run.members.items[1]!;
    expect(requireValue(await tenant.client.getExecution({ params: { executionId } }), "execution")).toMatchObject({
      ...{ verdict: "skipped", attempts: [], attemptCount: 0 },
      cause: { code: "nothing_to_use" },
    });
    target.answer(respondJson([{ id: 7 }]));
    const found = await start(tenant, { source: { runId: run.id, from: 1 } });
    expect(ends(await get(tenant, found.id)).every((one) => one.endsWith("passed"))).toBe(true);
  });

  test(`${engine.name}: neither a value that an earlier test captured nor a variable takes its place`, async () => {
    target.answer((request, response) => respondJson(request.url === "/first" ? [{ id: 7 }] : [])(request, response));
    const { run, urls } = await runCircle(
      [
        ["setUp", "first", finds("bookId")],
        ["main", "use", asks("bookId")],
        ["main", "second", finds("bookId")],
        ["main", "use again", asks("bookId")],
      ],
      { variables: [{ name: "bookId", value: "1" }] },
    );
    expect(urls).toEqual(["/first", "/use?bookId=7", "/second"]);
    expect(ends(run).at(-1)).toBe("main use again skipped");
    expect(run.verdict).toBe("passed");
  });

  test(`${engine.name}: a test whose optional capture is of a failing test is skipped, and the run failed`, async () => {
    target.answer(respondJson({}, 500));
    const { run } = await runCircle([
      ["main", "books", finds("bookId")],
      ["main", "use", asks("bookId")],
    ]);
    expect(ends(run)).toEqual(["main books failed", "main use skipped"]);
    expect(reasons(run)[1]).toMatch(/^\{\{bookId\}\} has no value: GET \/books failed: /);
    expect(run).toMatchObject({ verdict: "failed", counts: { failed: 1, skipped: 1, errored: 0 } });
  });

  test(`${engine.name}: a skip is neither a failure nor a change: it is not counted`, async () => {
    target.answer(respondJson([{ id: 1 }]));
    const { tenant, testCircleId } = await runCircle([
      ["main", "books", finds("bookId")],
      ["main", "use", asks("bookId")],
    ]);
    for (const body of [[], [{ id: 1 }], []]) {
      target.answer(respondJson(body));
      await start(tenant, { source: { testCircleId } });
    }
    await world.settle();
    const client = world.connect({ token: await world.identities.serviceToken(tenant.organizationId) });
    const [from, until] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    const counted = await client.countExecutions({ body: { subjectId: testCircleId, starts: [from!], until: until! } });
    expect(requireValue(counted, "count").total).toMatchObject({ executions: 6, passed: 6, unsteady: 0 });
  });
}
