import { type Kysely, sql } from "kysely";
import type { AnyTables, Executor } from "../database/database.ts";
import { prepared } from "../database/prepared.ts";
import { noOrganization } from "../organization/no-organization.ts";
import type { SealingContext } from "../vault/vault.ts";

/** An email until it is delivered or given up. Its job has the same id and no content. */
export interface WaitingEmail {
  id: string;
  /** Organization that it is deleted with; null: none, such as during registration. */
  organization_id: string | null;
  sealed: string;
  reference: string | null;
  is_for_nobody: boolean;
}

/** Sealing context of an email. */
export const emailSealingContext = ({
  id,
  organization_id,
}: Pick<WaitingEmail, "id" | "organization_id">): SealingContext => ({
  organizationId: organization_id ?? noOrganization,
  record: `letters/${id}`,
});

/** Migration step of each service that sends mail. */
export function createEmailTable(schema: string) {
  return async (db: Kysely<AnyTables>): Promise<void> => {
    await sql`
      create table ${sql.id(schema, "letters")} (
        id uuid primary key,
        organization_id uuid,
        sealed text not null,
        reference text,
        is_for_nobody boolean not null,
        waits_since timestamptz not null default now()
      )`.execute(db);
  };
}

/** The waiting emails of one service. */
export function createEmailStore(db: Kysely<AnyTables>, schema: string) {
  const table = sql.id(schema, "letters");
  return {
    /** Existing rows are unchanged. */
    async insert(transaction: Executor<AnyTables>, rows: WaitingEmail[]): Promise<void> {
      await sql`${prepared(`insert_letters_of_${schema}`)}
        insert into ${table} (id, organization_id, sealed, reference, is_for_nobody)
        select * from unnest(
          ${rows.map(({ id }) => id)}::uuid[],
          ${rows.map(({ organization_id }) => organization_id)}::uuid[],
          ${rows.map(({ sealed }) => sealed)}::text[],
          ${rows.map(({ reference }) => reference)}::text[],
          ${rows.map(({ is_for_nobody }) => is_for_nobody)}::boolean[]
        ) on conflict do nothing`.execute(transaction);
    },
    async find(id: string): Promise<WaitingEmail | undefined> {
      const { rows } = await sql<WaitingEmail>`
        select id, organization_id, sealed, reference, is_for_nobody from ${table} where id = ${id}`.execute(db);
      return rows[0];
    },
    async remove(id: string): Promise<void> {
      await sql`delete from ${table} where id = ${id}`.execute(db);
    },
    /** Time since which the oldest email waits; null without any. Ids grow with time, so the first is the oldest. */
    async oldestSince(): Promise<Date | null> {
      const { rows } = await sql<{ waits_since: Date }>`
        select waits_since from ${table} order by id limit 1`.execute(db);
      return rows[0]?.waits_since ?? null;
    },
  };
}

export type EmailStore = ReturnType<typeof createEmailStore>;
