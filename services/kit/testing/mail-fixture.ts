import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { uuidv7 } from "uuidv7";
import type { Database } from "../database/database.ts";
import { migrateSchema } from "../database/migrate.ts";
import { createEmailTable } from "../mail/email-table.ts";
import { createMail, type Mail, type MailOptions, type OutgoingEmail } from "../mail/mail.ts";
import { createQueue, type Queue } from "../queue/queue.ts";
import { createVault } from "../vault/vault.ts";

export const mailVault = createVault("a key for tests");

export const canaryEmail: OutgoingEmail = {
  to: { name: "Canary Name", address: "canary@example.org" },
  subject: "A canary subject",
  blocks: [{ kind: "button", name: "Open", href: "https://portal.example.com/register?token=canary-token" }],
};

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(20);
}

/** A service that only sends mail: with its own queue and table, for one test. */
export async function openMailFixture(database: Database) {
  const logged: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  const ending: (() => Promise<unknown>)[] = [];
  const service = `test${uuidv7().slice(-6)}`;
  const schema = service;
  await migrateSchema(database, schema, { "001-letters": { up: createEmailTable(schema) } });

  async function openQueue(): Promise<Queue> {
    const queue = await createQueue({ database, log });
    ending.push(() => queue.stop());
    return queue;
  }

  return {
    service,
    schema,
    logged,
    /** Cleanup functions, run last to first. */
    ending,
    openQueue,
    async openMail(options: Partial<Omit<MailOptions, "database">> = {}): Promise<Mail> {
      const queue = options.queue ?? (await openQueue());
      const parts = { service, database, schema, queue, vault: mailVault, log, delivery: undefined, work: true };
      return await createMail({ ...parts, retryDelaySeconds: 1, ...options });
    },
    async post(mail: Mail, emails: OutgoingEmail[], organizationId: string | null = null): Promise<void> {
      await database.kysely.transaction().execute((transaction) => mail.send(transaction, organizationId, emails));
    },
    /** Ids of the waiting emails. */
    async waiting(): Promise<string[]> {
      const found = await sql<{ id: string }>`select id from ${sql.id(schema, "letters")}`.execute(database.kysely);
      return found.rows.map(({ id }) => id);
    },
    async stop(): Promise<void> {
      for (const end of ending.reverse()) await end();
    },
  };
}

export type MailFixture = Awaited<ReturnType<typeof openMailFixture>>;
