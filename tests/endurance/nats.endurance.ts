import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, test } from "vitest";
import { disturbWorkers } from "../../services/test-executioner/testing/disturbed-workers.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { startNatsCluster } from "./nats-cluster.ts";

const rounds = Number(process.env.ROUNDS ?? 20);
const tests = 200;

let cluster: Awaited<ReturnType<typeof startNatsCluster>>;
let target: Target;
beforeAll(async () => {
  cluster = await startNatsCluster();
  target = await startTarget(async (_, response) => {
    await pause(200);
    response.end("{}");
  });
});
afterAll(async () => {
  target?.close();
  await cluster?.stop();
});

const print = (figure: string) => void process.stdout.write(`${figure}\n`);

test("killing one of three NATS servers at a time under load loses and doubles nothing", async () => {
  const executions = await disturbWorkers({
    ...{ target, rounds, tests },
    nats: { url: cluster.url(1, 2, 3), workerUrls: [cluster.url(1, 2, 3), cluster.url(3, 2, 1)], replicas: 3 },
    async disturb({ round }) {
      const number = (round % 3) + 1;
      await cluster.kill(number);
      await pause(Math.random() * 2_000);
      await cluster.start(number);
    },
  });
  print(`NATS servers killed: ${rounds}, executions: ${executions}, lost or doubled: 0`);
});

test("a network partition under load, with a worker on each side, loses and doubles nothing", async () => {
  const executions = await disturbWorkers({
    ...{ target, rounds, tests },
    nats: { url: cluster.url(1, 2), workerUrls: [cluster.url(1, 2), cluster.url(3)], replicas: 3 },
    async disturb() {
      cluster.cut(3);
      await pause(Math.random() * 5_000);
      cluster.join(3);
    },
  });
  print(`cuts between two halves: ${rounds}, executions: ${executions}, lost or doubled: 0`);
});
