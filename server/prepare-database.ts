/**
 * Creates the embedded database that a first start copies: all tables, empty. The engine itself takes 900 MB of
 * memory and seconds for that (its initdb runs in memory), and more seconds for the tables; a copy avoids both.
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
// Segments of 1 MB instead of 16: an empty database writes less than one.
const empty = await PGlite.create(folder, { initDbStartParams: ["--wal-segsize=1"] });
await empty.close();

const database = await openEmbeddedDatabase("build");
await makeTables(database);
// The replacements for a mail server and for PayPal, used when none is configured.
await makeMailboxTables(database);
await openDocuments(database);
await database.close();

// The engine leaves its files writable for all users; the building user may differ from the starting one.
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}
