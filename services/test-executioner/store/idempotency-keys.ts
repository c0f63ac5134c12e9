import type { Transaction } from "kysely";
import { sql } from "kysely";
import { type ExecutionTables, table } from "./tables.ts";

export interface IdempotentCall {
  organizationId: string;
  key: string;
  target: string;
  runId: string;
  now: Date;
}

const keptMilliseconds = 24 * 60 * 60 * 1_000;

/**
 * Takes the key for this call, or answers what the first call with it was. Two at once: the second waits for the
 * first to commit. Keys older than a day are forgotten on the way.
 */
export async function takeKey(
  transaction: Transaction<ExecutionTables>,
  { organizationId, key, target, runId, now }: IdempotentCall,
): Promise<{ target: string; runId: string } | undefined> {
  await transaction
    .deleteFrom("idempotency_keys")
    .where("organization_id", "=", organizationId)
    .where("created_at", "<", new Date(now.getTime() - keptMilliseconds))
    .execute();
  const taken = await sql`
    insert into ${table("idempotency_keys")} (organization_id, key, target, run_id, created_at)
    values (${organizationId}::uuid, ${key}, ${target}, ${runId}::uuid, ${now}::timestamptz)
    on conflict do nothing returning key`.execute(transaction);
  if (taken.rows.length > 0) return undefined;
  const first = await transaction
    .selectFrom("idempotency_keys")
    .select(["target", "run_id"])
    .where("organization_id", "=", organizationId)
    .where("key", "=", key)
    .executeTakeFirstOrThrow();
  return { target: first.target, runId: first.run_id };
}
