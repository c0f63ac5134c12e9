/**
 * What notifications cost commits, on PostgreSQL with its default settings, where commits wait for the disk: commits a
 * second of 2 to 16 connections that each store a row, without a notification, with one by `notify`, and with one in the
 * transaction, as `pg_notify` sends it. At least 0.9 of the commits without have to be left with `notify`. In turns, a
 * different one first in each round, so that other load on the machine affects all three; the median of the rounds' ratios
 * decides. Meanwhile another connection listens, as another process would: it has to hear within 50 ms of a commit at
 * the 95th percentile.
 *
 *     npm run bench:commits
 */
import { loadavg } from "node:os";
import { type Kysely, sql, type Transaction } from "kysely";
import { type AnyTables, openPostgresDatabase } from "../services/kit/database/database.ts";
import { notify } from "../services/kit/database/notifications.ts";
import { createTestDatabase } from "../services/kit/testing/databases.ts";

const writerCounts = [2, 4, 8, 16];
const rounds = 15;
const roundMilliseconds = 600;
const leastShare = 0.9;
const longestWakeMilliseconds = 50;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const median = (numbers: number[]) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]!;

type Announce = (transaction: Transaction<AnyTables>, word: string) => Promise<unknown>;
const ways: Record<string, Announce> = {
  without: async () => {},
  "by notify": (transaction, word) => notify(transaction, "bench_commits", word),
  "in the commit": (transaction, word) => sql`select pg_notify('bench_commits_within', ${word})`.execute(transaction),
};

/** @returns commits a second */
async function write(kysely: Kysely<AnyTables>, writers: number, announce: Announce): Promise<number> {
  const start = performance.now();
  const end = start + roundMilliseconds;
  let commits = 0;
  const writer = async (_: unknown, number: number) => {
    while (performance.now() < end) {
      const word = `${number}:${commits}`;
      await kysely.transaction().execute(async (transaction) => {
        await sql`insert into bench_commits (word) values (${word})`.execute(transaction);
        await announce(transaction, word);
      });
      commits += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return (commits / (performance.now() - start)) * 1_000;
}

/** Milliseconds from a commit to a listener elsewhere, with nothing else to do. */
async function measureWake(url: string, kysely: Kysely<AnyTables>): Promise<number[]> {
  const elsewhere = await openPostgresDatabase(url);
  let heard = () => {};
  const end = await elsewhere.subscribe("bench_wake", () => heard());
  const times: number[] = [];
  for (let number = 0; number < 100; number += 1) {
    const arrived = new Promise<void>((resolve) => {
      heard = resolve;
    });
    await kysely.transaction().execute(async (transaction) => {
      await sql`insert into bench_commits (word) values ('wake')`.execute(transaction);
      await notify(transaction, "bench_wake");
    });
    const start = performance.now();
    await arrived;
    times.push(performance.now() - start);
  }
  end();
  await elsewhere.close();
  return times.toSorted((one, other) => one - other);
}

const { url, drop } = await createTestDatabase();
const database = await openPostgresDatabase(url, { maximumConnections: Math.max(...writerCounts) });
const listening = await openPostgresDatabase(url);
for (const channel of ["bench_commits", "bench_commits_within"]) await listening.subscribe(channel, () => {});
const { kysely } = database;
await sql`create table bench_commits (id bigint generated always as identity primary key, word text)`.execute(kysely);

let isWithin = true;
print(`Commits a second, and the share of those without, medians of ${rounds} (load ${loadavg()[0]!.toFixed(1)}):`);
for (const writers of writerCounts) {
  const measured = Object.fromEntries(Object.keys(ways).map((name) => [name, [] as number[]]));
  for (let round = -1; round < rounds; round += 1) {
    const names = Object.keys(ways);
    const first = (round + names.length) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const commits = await write(kysely, writers, ways[name]!);
      if (round >= 0) measured[name]!.push(commits);
    }
  }
  const toShare = (all: number[]) => median(all.map((commits, round) => commits / measured.without![round]!));
  const figures = Object.entries(measured).map(
    ([name, all]) => `${name} ${Math.round(median(all))} (${toShare(all).toFixed(2)})`,
  );
  const enough = toShare(measured["by notify"]!) >= leastShare;
  isWithin &&= enough;
  print(`  ${String(writers).padStart(2)} writers: ${figures.join(", ")}${enough ? "" : `  less than ${leastShare}`}`);
}
const wakes = await measureWake(url, kysely);
const late = wakes[Math.floor(wakes.length * 0.95)]!;
print(
  `Heard elsewhere after p50 ${median(wakes).toFixed(1)} ms, p95 ${late.toFixed(1)} ms (at most ${longestWakeMilliseconds})`,
);
await listening.close();
await database.close();
await drop();
process.exitCode = isWithin && late <= longestWakeMilliseconds ? 0 : 1;
