/**
 * Makes the embedded database that a first start copies: the services' tables, and nothing in them. Made by the engine
 * itself it costs 900 MB of memory and seconds (its initdb runs in memory), and its tables seconds more; a copy costs
 * neither.
 */
import { chmodSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pino } from "pino";
import { openEmbeddedDatabase } from "../build/process/services/kit/database/database.js";
import { migrateSchema } from "../build/process/services/kit/database/migrate.js";
import { createQueue } from "../build/process/services/kit/queue/queue.js";

const folder = "build/database";
rmSync(folder, { recursive: true, force: true });
// Pieces of 1 MB instead of 16: an empty database writes less than one.
const empty = await PGlite.create(folder, { initDbStartParams: ["--wal-segsize=1"] });
await empty.close();

const database = await openEmbeddedDatabase("build");
const queue = await createQueue({ database, log: pino({ level: "silent" }) });
for (const service of readdirSync("build/process/services")) {
  const store = `../build/process/services/${service}/store`;
  if (!existsSync(new URL(`${store}/migrations.js`, import.meta.url))) continue;
  const { schemaName } = await import(`${store}/tables.js`);
  const { migrations } = await import(`${store}/migrations.js`);
  await migrateSchema(database, schemaName, migrations);
}
await queue.stop();
await database.close();

// The engine leaves its files writable for everybody; who builds need not be who starts.
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}
