import { createHash } from "node:crypto";
import { type Kysely, type QueryExecutorProvider, sql, type Transaction } from "kysely";
import { Problem } from "#contracts/kit/problem.ts";
import type { AnyTables } from "../database/database.ts";

/** Identifies a call, so that its repetition is recognized. */
export interface IdempotencyKey {
  key: string;
  /** Hash of the request: detects another call with the same key. */
  target: string;
}

/** Schema of the service's keys, and the column with the id of the created resource. */
export interface KeyTable {
  schema: string;
  column: string;
}

const retentionMilliseconds = 24 * 60 * 60 * 1_000;

/** @param parameters the request's parameters, in addition to its path */
export function readIdempotencyKey(request: Request, parameters: unknown): IdempotencyKey | undefined {
  const key = request.headers.get("idempotency-key") ?? undefined;
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new Problem("malformed_request", "Idempotency-Key has to be 1 to 200 visible ASCII characters.");
  }
  const text = JSON.stringify([new URL(request.url).pathname, parameters]);
  return { key, target: createHash("sha256").update(text).digest("base64url") };
}

/** Migration step of a service whose calls accept keys. */
export function createKeyTable({ schema, column }: KeyTable) {
  return async (db: Kysely<AnyTables>): Promise<void> => {
    await sql`
      create table ${sql.id(schema, "idempotency_keys")} (
        organization_id uuid not null,
        key text not null,
        target text not null,
        ${sql.id(column)} uuid not null,
        created_at timestamptz not null,
        primary key (organization_id, key)
      )`.execute(db);
  };
}

/**
 * The id that the first call with the key created; the resource may have been deleted since. Undefined without such a
 * call.
 */
export async function findCreated(
  db: QueryExecutorProvider,
  { schema, column }: KeyTable,
  { organizationId, key, target }: IdempotencyKey & { organizationId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ target: string; made: string }>`
    select target, ${sql.id(column)} as made from ${sql.id(schema, "idempotency_keys")}
    where organization_id = ${organizationId}::uuid and key = ${key}`.execute(db);
  const [first] = rows;
  if (first && first.target !== target) {
    throw new Problem("conflict", "This Idempotency-Key was used for another call.");
  }
  return first?.made;
}

/**
 * Reserves the key for the resource that this call creates, or returns the id that the first call created. The second
 * of two concurrent calls waits for the first to commit. Also deletes keys older than a day.
 */
export async function reserveKey<Tables>(
  transaction: Transaction<Tables>,
  { schema, column }: KeyTable,
  call: IdempotencyKey & { organizationId: string; makes: string; now: Date },
): Promise<string | undefined> {
  const table = sql.id(schema, "idempotency_keys");
  const { organizationId, key, target, makes, now } = call;
  await sql`delete from ${table} where organization_id = ${organizationId}::uuid
    and created_at < ${new Date(now.getTime() - retentionMilliseconds)}::timestamptz`.execute(transaction);
  const inserted = await sql`
    insert into ${table} (organization_id, key, target, ${sql.id(column)}, created_at)
    values (${organizationId}::uuid, ${key}, ${target}, ${makes}::uuid, ${now}::timestamptz)
    on conflict do nothing returning key`.execute(transaction);
  return inserted.rows.length > 0 ? undefined : await findCreated(transaction, { schema, column }, call);
}
