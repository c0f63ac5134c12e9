import { type Kysely, sql } from "kysely";
import type { AnyTables, Executor } from "../database/database.ts";
import { prepared } from "../database/prepared.ts";
import { noOrganization } from "../organization/no-organization.ts";
import type { SecretPlace } from "../vault/vault.ts";

/** A letter until it is handed over or given up. Its job, of the same id, says only that it is to be sent. */
export interface WaitingLetter {
  id: string;
  /** Whom it goes with when that organization is deleted; null: it was sent for none, as to somebody who registers. */
  organization_id: string | null;
  sealed: string;
  reference: string | null;
  is_for_nobody: boolean;
}

/** What a letter is sealed for. */
export const letterPlace = ({ id, organization_id }: Pick<WaitingLetter, "id" | "organization_id">): SecretPlace => ({
  organizationId: organization_id ?? noOrganization,
  record: `letters/${id}`,
});

/** A migration step of each service that sends mail. */
export function createLetterTable(schema: string) {
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

/** The letters of one service that wait. */
export function createLetterStore(db: Kysely<AnyTables>, schema: string) {
  const table = sql.id(schema, "letters");
  return {
    /** One that is there already stays as it is. */
    async insert(transaction: Executor<AnyTables>, rows: WaitingLetter[]): Promise<void> {
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
    async find(id: string): Promise<WaitingLetter | undefined> {
      const { rows } = await sql<WaitingLetter>`
        select id, organization_id, sealed, reference, is_for_nobody from ${table} where id = ${id}`.execute(db);
      return rows[0];
    },
    async remove(id: string): Promise<void> {
      await sql`delete from ${table} where id = ${id}`.execute(db);
    },
    /** Since when the oldest waits; null where none does. Ids rise with time, so it is the first. */
    async oldestSince(): Promise<Date | null> {
      const { rows } = await sql<{ waits_since: Date }>`
        select waits_since from ${table} order by id limit 1`.execute(db);
      return rows[0]?.waits_since ?? null;
    },
  };
}

export type LetterStore = ReturnType<typeof createLetterStore>;
