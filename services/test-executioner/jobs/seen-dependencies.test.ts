import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { acrossOrganizations } from "../../kit/database/organization-scope.ts";
import { createPublisher } from "../../kit/events/publisher.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { storedRows } from "../../kit/testing/stored-rows.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";
import { lookAtRuns } from "./seen-dependencies.ts";
import { createSeenValues } from "./seen-values.ts";

/** Its paths and names say nothing of where `{ref}` comes from. */
const ok = { responses: { 200: { description: "ok" } } };
const ref = { name: "ref", in: "path", required: true, schema: { type: "string" } };
const paths = { "/depots": { post: ok }, "/items/{ref}": { get: { ...ok, parameters: [ref] } } };

const secondsLater = (seconds: number) => ({ now: () => new Date(Date.now() + seconds * 1_000) });

for (const engine of testEngines()) {
  let world: ExecutionWorld;
  let target: Target;
  let values: string[] = [];
  let padding = "";
  beforeAll(async () => {
    world = await createExecutionWorld(await engine.open());
    target = await startTarget((request, response) => {
      const isMade = request.method === "POST";
      const value = isMade ? randomUUID() : "";
      if (isMade) values.push(value);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(isMade ? { handle: value, padding } : {}));
    });
  });
  afterAll(async () => {
    await world.stop();
    await world.database.close();
    await target.close();
  });

  async function createShop() {
    values = [];
    const tenant = await world.createTenant(target.baseUrl, { paths });
    const make = await tenant.createTest({ name: "make", method: "post", path: "/depots" });
    const use = await tenant.createTest({
      ...{ name: "use", method: "get", path: "/items/{ref}" },
      request: { pathParameters: [{ name: "ref", value: "{{ref}}" }] } as never,
    });
    const registry = world.apiRegistry({ token: tenant.token });
    return {
      tenant,
      make: () => tenant.run(make.id),
      use: (value: string) => tenant.run(use.id, { variables: { ref: value } }),
      async findItem() {
        const params = { apiId: tenant.apiId };
        return requireValue(await registry.getResource({ params: { ...params, resourceKey: "/items/{}" } }), "item");
      },
    };
  }

  const db = () => world.database.inSchema<ExecutionTables>(schemaName);

  /** Lets the job look at everything that has run, and its events arrive. */
  async function look(seconds = 10): Promise<void> {
    const clock = secondsLater(seconds);
    const { database, log, consumers, identities } = world;
    const shared = { database, schema: schemaName, clock: secondsLater(0), log, consumers };
    const publisher = await createPublisher<never>({ ...shared, serviceToken: identities.serviceToken, work: false });
    const seen = createSeenValues();
    await lookAtRuns({ db: db(), clock, log, publisher, values: seen }, new AbortController().signal);
    await seen.rest();
    await publisher.stop();
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([]);
  }
  const waiting = () =>
    db().selectFrom("event_deliveries").select("event").where("event", "like", "%dependencies.seen%").execute();

  test(`${engine.name}: a value that another operation accepted becomes a dependency without matching names`, async () => {
    const shop = await createShop();
    expect((await shop.findItem()).producers).toEqual([]);
    await shop.make();
    await shop.use(values[0]!);
    await shop.use(values[0]!);
    await look();
    const evidence = { kind: "seen", times: 2, operation: { method: "post", path: "/depots" } };
    const item = await shop.findItem();
    expect(item.producers).toEqual([
      { operation: evidence.operation, from: "body", path: "$.handle", many: false, evidence },
    ]);
    expect(item.consumers).toMatchObject([{ operation: { path: "/items/{ref}" }, in: "path", name: "ref", evidence }]);
  });

  test(`${engine.name}: what was counted is not counted again, and later runs are added`, async () => {
    const shop = await createShop();
    const times = async () =>
      (await shop.findItem()).producers.map(({ evidence }) => "times" in evidence && evidence.times);
    await shop.make();
    await shop.use(values[0]!);
    await look();
    await look(20);
    expect(await times()).toEqual([1]);
    await shop.use(values[0]!);
    await look(30);
    expect(await times()).toEqual([2]);
  });

  test(`${engine.name}: neither events nor what is stored about dependencies has a value`, async () => {
    const shop = await createShop();
    await shop.make();
    await shop.use(values[0]!);
    const rows = async () => await acrossOrganizations(() => storedRows(world.database));
    const having = (all: Record<string, string[]>) =>
      Object.keys(all).filter((name) => all[name]!.some((row) => row.includes(values[0]!)));
    const before = having(await rows());
    await look();
    const after = await rows();
    expect((await shop.findItem()).producers).toHaveLength(1);
    expect(having(after)).toEqual(before);
    expect(before.filter((name) => !name.includes("execution_details") && !name.includes("runs"))).toEqual([]);
  });

  test(`${engine.name}: another organization with the same document and values sees nothing of it`, async () => {
    const shop = await createShop();
    await shop.make();
    const [value] = values;
    await shop.use(value!);
    const other = await createShop();
    await other.use(value!);
    await look();
    expect((await shop.findItem()).producers).toHaveLength(1);
    expect((await other.findItem()).producers).toEqual([]);
  });

  test(`${engine.name}: large responses are read in a thread, with the same result`, async () => {
    const shop = await createShop();
    padding = "x".repeat(200_000);
    await shop.make();
    padding = "";
    await shop.use(values[0]!);
    await look();
    expect((await shop.findItem()).producers).toHaveLength(1);
  });

  test(`${engine.name}: two processes that look at the same runs count them once`, async () => {
    const shop = await createShop();
    await shop.make();
    await shop.use(values[0]!);
    await Promise.all([look(), look()]);
    expect((await shop.findItem()).producers).toMatchObject([{ evidence: { times: 1 } }]);
  });
}
