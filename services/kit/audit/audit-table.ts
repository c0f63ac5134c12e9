import { type Generated, type Insertable, type Kysely, sql } from "kysely";
import { type AnyTables, type Executor, json } from "../database/database.ts";
import { firstIdOf } from "../database/id-time.ts";

export interface AuditTables {
  audit_records: {
    id: string;
    organization_id: string;
    recorded_at: Date;
    actor_kind: "user" | "service" | "visitor";
    /** A user's id or a service's name; null for a visitor who has no account yet. */
    actor_id: string | null;
    actor_name: string;
    /** Null when no user's request caused it, or when the address is not vouched for. */
    client_address: string | null;
    request_id: string;
    /** The operation's name in its contract. */
    operation: string;
    resource_kind: string;
    resource_id: string;
    before: unknown;
    after: unknown;
    /** Search terms, see `audit-search.ts`; set by a trigger. */
    terms: Generated<string | null>;
  };
}

/** Migration step of each service that changes anything: each stores the records of its own changes. */
export function createAuditTable(schema: string) {
  return async (db: Kysely<AnyTables>): Promise<void> => {
    const table = sql.id(schema, "audit_records");
    await sql`
      create table ${table} (
        id uuid primary key,
        organization_id uuid not null,
        recorded_at timestamptz not null,
        actor_kind text not null check (actor_kind in ('user', 'service', 'visitor')),
        actor_id text,
        actor_name text not null,
        client_address text,
        request_id text not null,
        operation text not null,
        resource_kind text not null,
        resource_id text not null,
        before jsonb,
        after jsonb
      )`.execute(db);
    // Ids grow with time: pages are read newest first, and retention deletes oldest first.
    await sql`create index audit_records_of_organization on ${table} (organization_id, id)`.execute(db);
    const refuse = sql.id(schema, "refuse_audit_change");
    await sql`
      create function ${refuse}() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and current_setting('audit.retention', true) = 'on' then
          return old;
        end if;
        raise exception 'audit records are append-only';
      end $$`.execute(db);
    await sql`
      create trigger append_only before update or delete on ${table}
      for each row execute function ${refuse}()`.execute(db);
    await sql`
      create trigger never_truncated before truncate on ${table}
      for each statement execute function ${refuse}()`.execute(db);
  };
}

/** A statement has at most 65,535 parameters; a record uses 13 of them. */
const maxRowsPerInsert = 500;

export async function insertAuditRecord(
  transaction: Executor<AuditTables>,
  record: Insertable<AuditTables["audit_records"]>,
): Promise<void> {
  await insertAuditRecords(transaction, [record]);
}

/** Inserts the records of related changes in one statement. */
export async function insertAuditRecords(
  transaction: Executor<AuditTables>,
  records: readonly Insertable<AuditTables["audit_records"]>[],
): Promise<void> {
  const rows = records.map(({ before, after, ...record }) => ({
    ...record,
    before: before === undefined ? null : json(before),
    after: after === undefined ? null : json(after),
  }));
  for (let from = 0; from < rows.length; from += maxRowsPerInsert) {
    await transaction
      .insertInto("audit_records")
      .values(rows.slice(from, from + maxRowsPerInsert))
      .execute();
  }
}

/**
 * The only way to delete records: by age. Ids grow with time, so the key is scanned from its start.
 * @returns the number of deleted records
 */
export async function deleteAuditRecordsBefore(
  db: Kysely<AuditTables>,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    await sql`select set_config('audit.retention', 'on', true)`.execute(transaction);
    const { numDeletedRows } = await transaction
      .deleteFrom("audit_records")
      .where("id", "in", (select) =>
        select
          .selectFrom("audit_records")
          .select("id")
          .where("id", "<", firstIdOf(before))
          .where("recorded_at", "<", before)
          .orderBy("id")
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
