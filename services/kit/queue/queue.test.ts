import pino from "pino";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { bothEngines } from "../testing/databases.ts";
import type { Job } from "./job.ts";
import { createQueue, type Queue } from "./queue.ts";
import { run } from "./statements.ts";

const log = pino({ level: "silent" });

function jobs<Payload>(payloads: Payload[]) {
  return payloads.map((payload) => ({ id: uuidv7(), payload }));
}

async function until(condition: () => boolean | Promise<boolean>, milliseconds = 10_000) {
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > milliseconds) throw new Error("It did not happen in time.");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const claimAll = async (_: unknown, taken: Job[]) => new Map(taken.map((job) => [job.id, job.payload]));

for (const engine of bothEngines()) {
  let database: Database;
  let queue: Queue;
  beforeAll(async () => {
    database = await engine.open();
    queue = await createQueue({ database, log, leaseSeconds: 2, stopSeconds: 1, housekeepingSeconds: 0.5 });
  });
  afterAll(async () => {
    await queue.stop();
    await database.close();
  });

  const send = async (name: string, payloads: unknown[], group?: string) => {
    const sent = jobs(payloads);
    await database.kysely.transaction().execute((transaction) => queue.send(transaction, name, sent, { group }));
    queue.wake(name);
    return sent.map(({ id }) => id);
  };
  const count = async (name: string) => {
    const [row] = await run<{ count: number }>(
      database.kysely,
      "select count(*)::int as count from job_queue.job where name = $1",
      [name],
    );
    return row!.count;
  };

  test(`${engine.name}: every job sent is handed out once and gone when done`, async () => {
    await queue.declare("plain");
    const seen: number[] = [];
    queue.work<number, number>("plain", {
      concurrency: 20,
      claim: claimAll as never,
      handle: async (item) => {
        seen.push(item);
        return undefined;
      },
    });
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    await send("plain", numbers);
    await until(() => seen.length >= 300);
    await until(async () => (await count("plain")) === 0);
    expect(seen.sort((a, b) => a - b)).toEqual(numbers);
  });

  test(`${engine.name}: a wake-up after the commit starts a job without waiting for the next poll`, async () => {
    await queue.declare("quick");
    let started = 0;
    queue.work("quick", {
      concurrency: 1,
      claim: claimAll,
      handle: async () => {
        started += 1;
        return undefined;
      },
    });
    const start = performance.now();
    for (let number = 1; number <= 10; number += 1) {
      await send("quick", [number]);
      await until(() => started === number);
    }
    // Each would wait most of a second for the poll.
    expect(performance.now() - start).toBeLessThan(6_000);
  });

  test(`${engine.name}: a job sent in a transaction that fails never existed`, async () => {
    await queue.declare("undone");
    const broken = database.kysely.transaction().execute(async (transaction) => {
      await queue.send(transaction, "undone", jobs([1]));
      throw new Error("no");
    });
    await expect(broken).rejects.toThrow("no");
    expect(await count("undone")).toBe(0);
  });

  test(`${engine.name}: H04: a group at its cap does not keep another's job waiting`, async () => {
    await queue.declare("fair");
    const running = new Map<string, number>();
    let most = 0;
    let finish: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let done = 0;
    let quickDone = false;
    queue.work<string, string>("fair", {
      concurrency: 6,
      concurrencyPerGroup: 4,
      batchSize: 10,
      claim: claimAll as never,
      handle: async (tenant) => {
        running.set(tenant, (running.get(tenant) ?? 0) + 1);
        most = Math.max(most, running.get(tenant)!);
        if (tenant === "slow") await gate;
        else quickDone = true;
        running.set(tenant, running.get(tenant)! - 1);
        done += 1;
        return undefined;
      },
    });
    await send("fair", Array(200).fill("slow"), "slow");
    await until(() => running.get("slow") === 4);
    await send("fair", ["quick"], "quick");
    await until(() => quickDone);
    expect(running.get("slow")).toBe(4);
    finish();
    await until(() => done === 201);
    expect(most).toBe(4);
  });

  test(`${engine.name}: jobs of a group stand behind its own waiting ones, not before other groups`, async () => {
    await queue.declare("order");
    await send("order", ["a1", "a2", "a3"], "a");
    await send("order", ["a4"], "a");
    await send("order", ["b1"], "b");
    const order: string[] = [];
    queue.work<string, string>("order", {
      concurrency: 1,
      batchSize: 10,
      claim: async (_, taken) => {
        order.push(...taken.map((job) => String(job.payload)));
        return new Map();
      },
      handle: async () => undefined,
    });
    await until(() => order.length === 5);
    expect(order.indexOf("b1")).toBeLessThan(order.indexOf("a2"));
    expect(order.at(-1)).toBe("a4");
  });

  test(`${engine.name}: a job that nothing is claimed for is ended without being handled`, async () => {
    await queue.declare("void");
    let handled = 0;
    queue.work("void", {
      concurrency: 1,
      claim: async () => new Map(),
      handle: async () => {
        handled += 1;
        return undefined;
      },
    });
    await send("void", [1, 2, 3]);
    await until(async () => (await count("void")) === 0);
    expect(handled).toBe(0);
  });

  test(`${engine.name}: J11: a job that throws each time is tried three times, then lands in the dead letters`, async () => {
    await queue.declare("poison-dead");
    await queue.declare("poison", { deadLetter: "poison-dead", retryDelaySeconds: 0 });
    const attempts: number[] = [];
    const dead: unknown[] = [];
    let others = 0;
    queue.work<string, string>("poison", {
      concurrency: 4,
      claim: claimAll as never,
      handle: async (item, job) => {
        if (item === "good") {
          others += 1;
          return undefined;
        }
        attempts.push(job.attempt);
        throw new Error("poison");
      },
    });
    queue.work("poison-dead", {
      concurrency: 1,
      claim: claimAll,
      handle: async (item) => {
        dead.push(item);
        return undefined;
      },
    });
    await send("poison", ["bad", ...Array(20).fill("good")]);
    await until(() => dead.length === 1);
    expect(attempts).toEqual([1, 2, 3]);
    expect(dead).toEqual(["bad"]);
    expect(others).toBe(20);
  });

  test(`${engine.name}: J07: a worker whose lease ran out neither holds its job nor ends its successor's`, async () => {
    await queue.declare("frozen", { retryDelaySeconds: 0 });
    let held: (() => boolean) | undefined;
    let finish: () => void = () => {};
    const seen: number[] = [];
    queue.work("frozen", {
      concurrency: 2,
      claim: claimAll,
      handle: async (_, job, lease) => {
        seen.push(job.attempt);
        if (job.attempt === 2) return "completed"; // Its job stays, as if its worker were another process still at it.
        held = lease.isHeld;
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return undefined;
      },
    });
    const [id] = await send("frozen", [1]);
    await until(() => held !== undefined);
    // What the lease's end does to the row, without the wait.
    await run(
      database.kysely,
      "update job_queue.job set state = 'retry', start_after = now() - interval '1 s' where id = $1::uuid",
      [id],
    );
    queue.wake("frozen");
    await until(() => seen.length === 2);
    await until(() => !held!(), 5_000);
    finish();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await count("frozen")).toBe(1);
  });

  test(`${engine.name}: J09: the stop lets running jobs end and hands back the others uncounted`, async () => {
    const other = await createQueue({ database, log, leaseSeconds: 60, stopSeconds: 1 });
    await other.declare("stopping");
    const released: string[] = [];
    const ended: string[] = [];
    let started = 0;
    other.work<string, string>("stopping", {
      concurrency: 2,
      claim: claimAll as never,
      release: async (_, given) => {
        released.push(...given.map((job) => String(job.payload)));
      },
      handle: async (item, _, { signal }) => {
        started += 1;
        await new Promise((resolve) => {
          setTimeout(resolve, item === "long" ? 60_000 : 200).unref();
          signal.addEventListener("abort", resolve);
        });
        if (!signal.aborted) ended.push(item);
        return "completed";
      },
    });
    const sent = jobs(["long", "short", "waiting"]);
    await database.kysely.transaction().execute((transaction) => other.send(transaction, "stopping", sent));
    other.wake("stopping");
    await until(() => started === 2);
    await other.stop();
    expect(ended).toEqual(["short"]);
    expect(released.sort()).toEqual(["long", "waiting"]);
    const rows = await run<{ retry_count: number }>(
      database.kysely,
      "select retry_count, started_on from job_queue.job where name = 'stopping' and state = 'created'",
    );
    expect(rows).toEqual([
      { retry_count: 0, started_on: null },
      { retry_count: 0, started_on: null },
    ]);
  });

  test(`${engine.name}: the space of ended jobs is used again`, async () => {
    await queue.declare("churn");
    queue.work("churn", { concurrency: 50, claim: async () => new Map(), handle: async () => undefined });
    async function readSize(): Promise<number> {
      const [row] = await run<{ size: number }>(
        database.kysely,
        "select sum(pg_relation_size(inhrelid))::int as size from pg_inherits where inhparent = 'job_queue.job'::regclass",
      );
      return row!.size;
    }
    for (let round = 0; round < 6; round += 1) {
      await send("churn", Array(1_000).fill(null), "churn");
      await until(async () => (await count("churn")) === 0);
      // The server's own autovacuum looks once a minute; here its place is taken.
      if (engine.name === "PostgreSQL") await run(database.kysely, "vacuum (analyze) job_queue.job");
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    // Six rounds leave some 2.4 MB when nothing is used again; two rounds' worth may still wait for their turn.
    await until(async () => (await readSize()) < 800_000);
  });

  test(`${engine.name}: a maintenance text that fails leaves the connection usable`, async () => {
    const { runWholeText } = await import("./statements.ts");
    await expect(runWholeText(database.kysely, "begin; select 1/0; commit;")).rejects.toThrow("division by zero");
    await database.checkHealth();
  });
}
