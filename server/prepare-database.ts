/**
 * Makes the embedded database that a first start copies: all tables, and nothing in them. Made by the engine
 * itself it costs 900 MB of memory and seconds (its initdb runs in memory), and its tables seconds more; a copy costs
 * neither.
 */
import { chmodSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { openDocuments } from "../sandbox/paypal/documents.ts";
import { openEmbeddedDatabase } from "../services/kit/database/database.ts";
import { makeMailboxTables } from "../services/kit/mail/mailbox.ts";
import { makeTables } from "./make-tables.ts";

const folder = "build/database";
rmSync(folder, { recursive: true, force: true });
// Pieces of 1 MB instead of 16: an empty database writes less than one.
const empty = await PGlite.create(folder, { initDbStartParams: ["--wal-segsize=1"] });
await empty.close();

const database = await openEmbeddedDatabase("build");
await makeTables(database);
// What stands in for a mail server and for PayPal, where none is configured.
await makeMailboxTables(database);
await openDocuments(database);
await database.close();

// The engine leaves its files writable for everybody; who builds need not be who starts.
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}
