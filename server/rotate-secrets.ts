import { resolve } from "node:path";
import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import {
  type AnyTables,
  type Database,
  openEmbeddedDatabase,
  openPostgresDatabase,
} from "../services/kit/database/database.ts";
import { lockFolder } from "../services/kit/lock/folder-lock.ts";
import { createLog } from "../services/kit/log/log.ts";
import { getPreviousQueueName } from "../services/kit/mail/previous-emails.ts";
import { createQueue } from "../services/kit/queue/queue.ts";
import { refuseStart, StartRefused } from "../services/kit/service/start-refused.ts";
import { resealColumn, type SealedColumn } from "../services/kit/vault/sealed-column.ts";
import { createVault } from "../services/kit/vault/vault.ts";
import { parseConfiguration } from "./configuration.ts";
import { makePrivately } from "./data-folder.ts";
import { openInstallation } from "./installation.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { sendingServices } from "./sending-services.ts";

/**
 * `npm run rotate-secrets`: seals everything with SECRETS_KEY that SECRETS_KEY_PREVIOUS has sealed. Killed at any
 * moment, it continues from there when run again.
 */
async function rotate(): Promise<void> {
  makePrivately();
  const configuration = parseConfiguration(process.env);
  const { databaseUrl, dataDirectory, previousSecretsKeys } = configuration;
  if (previousSecretsKeys.length === 0) {
    throw new StartRefused("SECRETS_KEY_PREVIOUS is needed: the key that opens what is to be sealed with the new one.");
  }
  // The embedded database serves one process: the portal must be stopped first.
  const lock = databaseUrl ? undefined : await lockFolder(resolve(dataDirectory));
  const log = createLog(configuration.logLevel);
  const database = databaseUrl
    ? await openPostgresDatabase(databaseUrl, { ...configuration.database, log })
    : await openEmbeddedDatabase(dataDirectory, { log });
  try {
    const { secretsKey } = await openInstallation(dataDirectory, configuration.secretsKey);
    const vault = createVault(secretsKey, previousSecretsKeys);
    let total = 0;
    for (const column of sealedColumns) {
      if (!(await isThere(database.kysely, column))) continue;
      const count = await resealColumn(database.kysely, vault, column);
      total += count;
      if (count > 0) process.stdout.write(`${column.schema}.${column.table}.${column.column}: ${count} sealed again\n`);
    }
    process.stdout.write(`${total} sealed again.\n`);
    await requireNoEarlierEmails(database, log);
    process.stdout.write("SECRETS_KEY_PREVIOUS is no longer needed.\n");
  } finally {
    await database.close();
    await lock?.release();
  }
}

/** The previous version queued emails in jobs, which belong to the queue until a worker moves them. */
async function requireNoEarlierEmails(database: Database, log: Logger): Promise<void> {
  const queue = await createQueue({ database, log });
  try {
    const found = await Promise.all(
      sendingServices.map((service) => queue.countWaiting(getPreviousQueueName(service))),
    );
    const count = found.reduce((sum, { waiting, running }) => sum + waiting + running, 0);
    if (count === 0) return;
    throw new StartRefused(
      `Emails queued by the previous version are still waiting: ${count}. Keep SECRETS_KEY_PREVIOUS until this version's workers have sent or given them up (within two hours), then run this again.`,
    );
  } finally {
    await queue.stop();
  }
}

/** The local mailbox, for example, exists only when mail stays here. */
async function isThere(db: Kysely<AnyTables>, { schema, table }: SealedColumn): Promise<boolean> {
  const { rows } = await sql<{
    name: string | null;
  }>`select to_regclass(${`${schema}.${table}`})::text as name`.execute(db);
  return rows[0]?.name != null;
}

rotate().catch(refuseStart);
