import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repetitions, reportFigure } from "../../../tests/support/endurance.ts";
import { openPostgresDatabase } from "../../kit/database/database.ts";
import { Nats } from "../../kit/nats/nats.ts";
import { createTestDatabase } from "../../kit/testing/databases.ts";
import { startNatsServer } from "../../kit/testing/nats-server.ts";
import { workChannel } from "../store/changes.ts";
import { disturbWorkers } from "../testing/disturbed-workers.ts";
import { createLocatedWorld } from "../testing/located-world.ts";
import { startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld } from "../testing/world.ts";
import { ownPlace } from "./offered-work.ts";

const log = { info() {}, warn() {} };
const kills = repetitions(1, 20);

let nats: Awaited<ReturnType<typeof startNatsServer>>;
let target: Target;
beforeAll(async () => {
  nats = await startNatsServer();
  target = await startTarget(async (_, response) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
    response.end("{}");
  });
});
afterAll(async () => {
  target.close();
  await nats.stop();
});

test("with NATS, kills of workers and of the server neither lose nor duplicate executions", async () => {
  const executions = await disturbWorkers({
    ...{ target, rounds: kills, nats: { url: nats.url, workerUrls: [nats.url] } },
    disturb: ({ replaceWorker }) => replaceWorker(() => nats.kill().then(() => nats.start())),
  });
  reportFigure(`executions handed out by NATS: ${executions}, kills: ${kills}, lost or doubled: 0`);
});

test("with NATS, all work of each organization is claimed, and no offer is left", async () => {
  await nats.start();
  const { url, drop } = await createTestDatabase();
  const options = { url: nats.url, installation: "offered", offeredChannels: [workChannel] };
  const carrier = new Nats({ ...options, log });
  await expect.poll(() => carrier.isConnected).toBe(true);
  const database = await openPostgresDatabase(url, { carrier });
  const world = await createExecutionWorld(database, { offers: carrier.offers });
  const seen: string[] = [];
  const connection = await connect({ servers: [new URL(nats.url).host] });
  const manager = await jetstreamManager(connection);
  for (let number = 0; number < 2; number += 1) {
    const tenant = await world.createTenant(target.baseUrl);
    // More than a worker takes of one organization.
    for (let index = 0; index < 110; index += 1) await tenant.createTest({ name: `t${index}`, path: "/all" });
    const run = await tenant.client.runTestsOfApi({ params: { apiId: tenant.apiId }, query: {}, body: {} });
    if (run.ok) seen.push(...run.value.items.map(({ id }) => id));
  }
  await world.settle();
  expect(seen).toHaveLength(220);
  expect(target.requests.filter(({ url }) => url === "/all")).toHaveLength(220);
  const { delivered } = await manager.consumers.info("assurance_offered_work", ownPlace);
  expect(delivered.consumer_seq).toBeGreaterThanOrEqual(2);
  await expect.poll(async () => (await manager.streams.info("assurance_offered_work")).state.messages).toBe(0);
  await connection.close();
  await world.stop();
  await database.close();
  await carrier.close();
  await drop();
});

test("with NATS, work of a location wakes a waiting call of its agent, and of no other", async () => {
  await nats.start();
  const { url, drop } = await createTestDatabase();
  const carrier = new Nats({ url: nats.url, installation: "located", offeredChannels: [workChannel], log });
  await expect.poll(() => carrier.isConnected).toBe(true);
  const database = await openPostgresDatabase(url, { carrier });
  const { makeLocated, close } = await createLocatedWorld(database, { offers: carrier.offers });
  const [here, there] = [await makeLocated("Here"), await makeLocated("There")];
  const waiting = [here.agent.take({ waitSeconds: 25 }), there.agent.take({ waitSeconds: 1 })];
  await here.start();
  const [taken, none] = await Promise.all(waiting);
  expect(taken!.items).toHaveLength(1);
  expect(none!.items).toEqual([]);
  const manager = await jetstreamManager(await connect({ servers: [new URL(nats.url).host] }));
  const { delivered } = await manager.consumers.info("assurance_located_work", here.locationId);
  expect(delivered.consumer_seq).toBe(1);
  await close();
  await carrier.close();
  await drop();
});
