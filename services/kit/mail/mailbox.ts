import { type Migration, sql } from "kysely";
import type { Clock } from "../clock/clock.ts";
import type { Database } from "../database/database.ts";
import { migrateSchema } from "../database/migrate.ts";
import { noOrganization } from "../organization/no-organization.ts";
import type { Vault } from "../vault/vault.ts";
import { parseEmail, type RenderedEmail } from "./email.ts";
import type { Delivery } from "./smtp.ts";

export interface StoredEmail extends RenderedEmail {
  id: string;
  sentAt: Date;
}

/** Stores emails when no mail server is configured: for trying the portal locally. */
export interface Mailbox extends Delivery {
  /** Newest first; one more than requested when there are more. */
  list(page: { limit: number; beforeId?: string }): Promise<StoredEmail[]>;
  find(id: string): Promise<StoredEmail | undefined>;
}

interface MailboxTables {
  letters: { id: string; sealed: string; sent_at: Date };
}

const schemaName = "mailbox";
/** Beyond this, the oldest are deleted. */
const maxEmails = 1_000;
const toSealingContext = (id: string) => ({
  organizationId: noOrganization,
  record: `mailbox/${id}`,
});

const migrations: Record<string, Migration> = {
  "001-letters": {
    up: async (db) => {
      await db.schema
        .createTable("letters")
        .addColumn("id", "uuid", (column) => column.primaryKey())
        .addColumn("sealed", "text", (column) => column.notNull())
        .addColumn("sent_at", "timestamptz", (column) => column.notNull())
        .execute();
    },
  },
};

export async function makeMailboxTables(database: Database): Promise<void> {
  await migrateSchema(database, schemaName, migrations);
}

/** A mailbox in the database. Emails contain links that open accounts, so they are sealed here, too. */
export async function createMailbox(database: Database, vault: Vault, clock: Clock): Promise<Mailbox> {
  await makeMailboxTables(database);
  const db = database.inSchema<MailboxTables>(schemaName);
  const opened = (row: MailboxTables["letters"]): StoredEmail => ({
    ...parseEmail(vault.open(row.sealed, toSealingContext(row.id))),
    id: row.id,
    sentAt: row.sent_at,
  });
  return {
    async deliver(id, email) {
      await db
        .insertInto("letters")
        .values({ id, sealed: vault.seal(JSON.stringify(email), toSealingContext(id)), sent_at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const emails = sql.id(schemaName, "letters");
      await sql`delete from ${emails} where id < (select id from ${emails} order by id desc offset ${maxEmails - 1} limit 1)`.execute(
        db,
      );
    },
    async list({ limit, beforeId }) {
      let query = db
        .selectFrom("letters")
        .selectAll()
        .orderBy("id", "desc")
        .limit(limit + 1);
      if (beforeId) query = query.where("id", "<", beforeId);
      return (await query.execute()).map(opened);
    },
    async find(id) {
      const row = await db.selectFrom("letters").selectAll().where("id", "=", id).executeTakeFirst();
      return row && opened(row);
    },
    close: async () => {},
  };
}
