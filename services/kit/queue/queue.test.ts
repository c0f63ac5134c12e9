import pino from "pino";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { bothEngines } from "../testing/databases.ts";
import { createQueue, type Queue, runWholeText } from "./queue.ts";

const log = pino({ level: "silent" });

for (const engine of bothEngines()) {
  let database: Database;
  let queue: Queue;
  beforeAll(async () => {
    database = await engine.open();
    queue = await createQueue({ database, log, leaseSeconds: 4, stopSeconds: 1 });
  });
  afterAll(async () => {
    await queue.stop();
    await database.close();
  });

  const send = async (name: string, payloads: unknown[]) => {
    const jobs = payloads.map((payload) => ({ id: uuidv7(), payload }));
    await database.kysely.transaction().execute((transaction) => queue.send(transaction, name, jobs));
  };
  const count = async (name: string) => {
    const { waiting, running } = await queue.countWaiting(name);
    return waiting + running;
  };

  test(`${engine.name}: every job is handed out once and deleted when done`, async () => {
    await queue.declare("plain");
    const seen: unknown[] = [];
    queue.work("plain", {
      concurrency: 20,
      async handle(number) {
        seen.push(number);
      },
    });
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    await send("plain", numbers);
    await expect.poll(() => count("plain")).toBe(0);
    expect(seen.sort((a, b) => Number(a) - Number(b))).toEqual(numbers);
  });

  test(`${engine.name}: the number of waiting jobs is reported per queue, and how long taken jobs had waited`, async () => {
    await queue.declare("measured");
    await send("measured", [1, 2, 3]);
    const listSamples = async (name: string) => {
      const family = (await queue.metrics()).find((one) => one.name === name);
      return family!.samples.filter(({ labels }) => labels?.queue === "measured");
    };
    expect(await listSamples("queue_jobs_waiting")).toMatchObject([{ value: 3 }]);
    queue.work("measured", { concurrency: 2, handle: async () => {} });
    await expect.poll(async () => (await listSamples("queue_jobs_waiting"))[0]!.value).toBe(0);
    const count = (await listSamples("queue_job_wait_seconds")).find(({ suffix }) => suffix === "_count");
    expect(count).toMatchObject({ value: 3 });
  });

  test(`${engine.name}: a job sent in a failed transaction is never handed out`, async () => {
    await queue.declare("undone");
    const broken = database.kysely.transaction().execute(async (transaction) => {
      await queue.send(transaction, "undone", [{ id: uuidv7(), payload: 1 }]);
      throw new Error("no");
    });
    await expect(broken).rejects.toThrow("no");
    expect(await count("undone")).toBe(0);
  });

  test(`${engine.name}: concurrent jobs never exceed the limit`, async () => {
    await queue.declare("places");
    let running = 0;
    let maxRunning = 0;
    let done = 0;
    queue.work("places", {
      concurrency: 3,
      async handle() {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        done += 1;
      },
    });
    await send("places", Array(20).fill(0));
    await expect.poll(() => done).toBe(20);
    expect(maxRunning).toBe(3);
  });

  test(`${engine.name}: J11: a job that always throws is tried three times, then moved to the dead letter queue`, async () => {
    await queue.declare("poison-dead");
    await queue.declare("poison", { deadLetter: "poison-dead", retryDelaySeconds: 0 });
    const attempts: number[] = [];
    const dead: unknown[] = [];
    let others = 0;
    queue.work("poison", {
      concurrency: 4,
      async handle(item, job) {
        if (item === "good") others += 1;
        else {
          attempts.push(job.attempt);
          throw new Error("poison");
        }
      },
    });
    queue.work("poison-dead", {
      concurrency: 1,
      async handle(item) {
        dead.push(item);
      },
    });
    await send("poison", ["bad", ...Array(20).fill("good")]);
    await expect.poll(() => dead).toEqual(["bad"]);
    expect(attempts).toEqual([1, 2, 3]);
    await expect.poll(() => others).toBe(20);
  });

  test(`${engine.name}: a job interrupted by the end of its process is completed by the next`, async () => {
    const other = await createQueue({ database, log, leaseSeconds: 4, stopSeconds: 1 });
    await other.declare("handed-on");
    const taken: unknown[] = [];
    other.work("handed-on", {
      concurrency: 1,
      handle: async (item) => {
        taken.push(item);
        await new Promise(() => {});
      },
    });
    await database.kysely
      .transaction()
      .execute((transaction) => other.send(transaction, "handed-on", [{ id: uuidv7(), payload: "one" }]));
    await expect.poll(() => taken).toEqual(["one"]);
    await other.stop();
    const done: [unknown, number][] = [];
    queue.work("handed-on", {
      concurrency: 1,
      handle: async (item, job) => void done.push([item, job.attempt]),
    });
    await expect.poll(() => done).toEqual([["one", 2]]);
  });

  test(`${engine.name}: a failed maintenance statement leaves the connection usable`, async () => {
    await expect(runWholeText(database.kysely, "begin; select 1/0; commit;")).rejects.toThrow("division by zero");
    await database.checkHealth();
  });
}
