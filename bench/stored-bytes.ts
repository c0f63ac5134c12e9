/**
 * What a passing execution writes on PostgreSQL: bytes of write-ahead log, and by which the executioner's tables grow.
 * With every response stored in full, and with unchanged ones stored once (the default): at most half of what it was when
 * every response was stored and each result wrote to all indexes. The API responds like one behind a usual server, with a
 * date and a request id that differ each time, and a body of 1 or 4 KB.
 *
 *     npm run bench:stored-bytes
 */
import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import { requireValue } from "../services/kit/client/client.ts";
import { openPostgresDatabase } from "../services/kit/database/database.ts";
import { createTestDatabase } from "../services/kit/testing/databases.ts";
import { movableSettings } from "../services/kit/testing/settings.ts";
import { createExecutionWorld } from "../services/test-executioner/testing/world.ts";

const testCount = 100;
const runs = 20;
const warmUps = 2;
/** Bytes: half of 5.8 and 3.5 KB. */
const highest = { log: 2_900, growth: 1_750 };
const highestRatio = 0.5;
const print = (line: string) => void process.stdout.write(`${line}\n`);

const bodies = { "1 KB": 7, "4 KB": 29 };
/** As varied as ids and names are, for they are stored compressed where they are long. */
const describe = (id: number) => {
  const digits = createHash("sha256").update(String(id)).digest("hex");
  return { id: digits.slice(0, 24), name: `Mug ${digits.slice(24, 36)}`, price: { amount: id * 7.3, currency: "EUR" } };
};
const write = (total: number) =>
  JSON.stringify({
    items: Array.from({ length: total }, (_, id) => ({ ...describe(id), url: `/items/${describe(id).id}` })),
    total,
  });
let total = 0;
const target = createServer((_, response) => {
  response
    .writeHead(200, {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "x-content-type-options": "nosniff",
      "x-request-id": randomUUID(),
      server: "nginx",
    })
    .end(write(total));
}).listen(0, "127.0.0.1");
await new Promise((resolve) => target.once("listening", resolve));

/** Bytes of each table with its indexes, partitions counted to their table. */
async function measure(passedBodiesEvery: number) {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url);
  const settings = movableSettings();
  settings.set({ passedBodiesEvery });
  const world = await createExecutionWorld(database, { settings });
  const tenant = await world.createTenant(`http://127.0.0.1:${(target.address() as AddressInfo).port}`);
  const tests: string[] = [];
  for (let number = 0; number < testCount; number += 1) {
    const assertions = [
      { source: "statusCode", comparison: "equals", target: 200 },
      { source: "jsonPath", property: "$.total", comparison: "equals", target: total },
      { source: "responseTime", comparison: "lessThan", target: 5_000 },
    ] as const;
    tests.push((await tenant.createTest({ name: `Reads items ${number}`, assertions: [...assertions] })).id);
  }
  async function run(times: number): Promise<void> {
    for (let turn = 0; turn < times; turn += 1) {
      const started = await tenant.client.startRun({ query: { wait: 60 }, body: { source: { tests } } });
      const { verdict } = requireValue(started, "running");
      if (verdict !== "passed") throw new Error(`A run ended ${verdict}.`);
      // As autovacuum does now and then: its space is used again.
      await sql`vacuum (truncate false) test_executioner.unfinished_executions`.execute(database.kysely);
    }
  }
  async function readBytes() {
    const { rows } = await sql<{ name: string; bytes: number }>`
      select regexp_replace(relname, '_\d{4}_\d{2}$|_other$', '') as name,
        sum(pg_total_relation_size(oid))::float8 as bytes
      from pg_class where relnamespace = 'test_executioner'::regnamespace and relkind = 'r' group by 1`.execute(
      database.kysely,
    );
    const log = await sql<{ bytes: number }>`
      select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`.execute(database.kysely);
    return { log: log.rows[0]!.bytes, tables: new Map(rows.map(({ name, bytes }) => [name, bytes])) };
  }
  await run(warmUps);
  const before = await readBytes();
  await run(runs);
  const after = await readBytes();
  const count = runs * testCount;
  const grown = [...after.tables].map(([name, bytes]) => ({
    name,
    bytes: (bytes - (before.tables.get(name) ?? 0)) / count,
  }));
  await world.stop();
  await database.close();
  await drop();
  return { log: (after.log - before.log) / count, grown: grown.filter(({ bytes }) => bytes >= 1) };
}

let isWithin = true;
for (const [size, items] of Object.entries(bodies)) {
  total = items;
  print(`Responses of ${size}:`);
  const ways = { "all in full": await measure(1), "unchanged once": await measure(defaultSettings.passedBodiesEvery) };
  const sums = Object.entries(ways).map(([name, { log, grown }]) => {
    const growth = grown.reduce((sum, { bytes }) => sum + bytes, 0);
    print(`  ${name}: ${Math.round(log)} bytes of WAL, ${Math.round(growth)} of growth an execution`);
    for (const table of grown.toSorted((one, other) => other.bytes - one.bytes))
      print(`    ${table.name.padEnd(28)}${String(Math.round(table.bytes)).padStart(6)}`);
    return { log, growth };
  });
  const [log, growth] = [sums[1]!.log / sums[0]!.log, sums[1]!.growth / sums[0]!.growth];
  const { log: ownLog, growth: ownGrowth } = sums[1]!;
  isWithin &&= ownLog <= highest.log && ownGrowth <= highest.growth && Math.max(log, growth) <= highestRatio;
  print(`  ratio of WAL ${log.toFixed(2)}, of growth ${growth.toFixed(2)} (at most ${highestRatio})`);
  print(`  of WAL at most ${highest.log} bytes, of growth at most ${highest.growth}`);
}
target.close();
target.closeAllConnections();
process.exitCode = isWithin ? 0 : 1;
