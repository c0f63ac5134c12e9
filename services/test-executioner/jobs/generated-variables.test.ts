import { expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { openPostgresDatabase } from "../../kit/database/database.ts";
import { createTestDatabase, testEngines } from "../../kit/testing/databases.ts";
import { asks, createCircleWorld, type Members } from "../testing/circle-world.ts";
import { respondJson, startTarget } from "../testing/target.ts";
import { startWorker } from "../testing/worker.ts";
import { createExecutionWorld } from "../testing/world.ts";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;
const members: Members = [
  ["setUp", "before", asks("title")],
  ["main", "a", { ...asks("title"), retry: { attempts: 2, delayMilliseconds: 0, backoff: "fixed" } }],
  ["main", "b", asks("title")],
  ["tearDown", "after", asks("title")],
];
const variables = [{ name: "title", value: "Book {{$uuid}}" }];
const toTitles = (urls: (string | undefined)[]) => urls.map((url) => decodeURIComponent(url!.split("title=")[1]!));

for (const engine of testEngines()) {
  const { target, start, get, runCircle, failing } = await createCircleWorld(engine);

  test.each(["sequential", "parallel"] as const)(
    `${engine.name}: %s: all members and attempts of a run see the same generated value, another run another`,
    async (order) => {
      failing("/a");
      const { run, urls, tenant, testCircleId } = await runCircle(members, { order, variables });
      expect(urls).toHaveLength(5);
      const [first, ...others] = toTitles(urls);
      expect(first).toMatch(new RegExp(`^Book ${uuid.source}$`));
      expect(new Set(others)).toEqual(new Set([first]));
      expect(run.captures).toEqual([{ name: "title", value: first, secret: false, type: null, position: 0 }]);
      const before = target.requests.length;
      const again = await start(tenant, { source: { testCircleId } });
      const titles = toTitles(target.requests.slice(before).map(({ url }) => url));
      expect(new Set(titles).size).toBe(1);
      expect(titles[0]).toMatch(uuid);
      expect(titles[0]).not.toBe(first);
      const from = (await get(tenant, again.id)).members.items.find(({ testName }) => testName === "b")!.position;
      await start(tenant, { source: { runId: again.id, from } });
      expect(toTitles([target.requests.at(-1)!.url]), "it continues the other run").toEqual([titles[0]]);
    },
  );

  test(`${engine.name}: each variable has values of its own, and only generated ones are filled in`, async () => {
    failing();
    const { urls } = await runCircle([["main", "a", asks("one", "two", "int", "at", "plain", "secret")]], {
      variables: [
        { name: "one", value: "{{ $uuid }}/{{$uuid}}" },
        { name: "two", value: "{{$guid}}" },
        { name: "int", value: "{{$randomInt}}" },
        { name: "at", value: "{{$timestamp}} {{$isoTimestamp}}" },
        { name: "plain", value: "{{one}} {{$other}}" },
        { name: "secret", value: "pass-{{$uuid}}", secret: true },
      ],
    });
    const query = new URL(urls[0]!, "http://any").searchParams;
    const [one = "", same] = query.get("one")!.split("/");
    expect(one).toMatch(new RegExp(`^${uuid.source}$`));
    expect(same).toBe(one);
    expect(query.get("two")).toMatch(uuid);
    expect(query.get("two")).not.toBe(one);
    expect(query.get("int")).toMatch(/^\d{1,3}$/);
    expect(query.get("at")).toMatch(/^\d{10} \d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(query.get("plain")).toBe("{{one}} {{$other}}");
    expect(query.get("secret")).toMatch(new RegExp(`^pass-${uuid.source}$`));
  });

  test(`${engine.name}: a call's own value precedes a generated one`, async () => {
    failing();
    const { tenant, testCircleId } = await runCircle([["main", "a", asks("title")]], { variables });
    await start(tenant, { source: { testCircleId }, variables: { title: "mine" } });
    expect(toTitles([target.requests.at(-1)!.url])).toEqual(["mine"]);
  });
}

test("a run that another process continues keeps its generated values", async () => {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url);
  const world = await createExecutionWorld(database, { work: false, leaseSeconds: 2 });
  const target = await startTarget(respondJson({}));
  const held = target.hold();
  const tenant = await world.createTenant(target.baseUrl);
  const named = [];
  for (const name of ["a", "b"]) named.push({ testId: (await tenant.createTest({ name, ...asks("title") })).id });
  const { id: testCircleId } = await tenant.createCircle({ members: named, variables });
  requireValue(await tenant.client.startRun({ query: {}, body: { source: { testCircleId } } }), "start");
  const doomed = startWorker(url);
  await expect.poll(() => held.waiting.length, { timeout: 20_000 }).toBe(1);
  await doomed.kill();
  held.letGo();
  const other = startWorker(url);
  await expect.poll(() => target.requests.length, { timeout: 20_000 }).toBe(3);
  const titles = toTitles(target.requests.map((request) => request.url));
  expect(titles[0]).toMatch(uuid);
  expect(new Set(titles).size).toBe(1);
  await other.kill();
  await world.stop();
  await database.close();
  await target.close();
  await drop();
});
