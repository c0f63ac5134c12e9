import type { Selectable } from "kysely";
import { uuidv7 } from "uuidv7";
import { type Executor, json } from "../../kit/database/database.ts";
import type { SubscriptionRow } from "./subscriptions.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;
export type ReconciliationRow = Selectable<PortalTables["reconciliations"]>;

/**
 * The one in progress, or a new one.
 * @returns its id, and whether it existed
 */
export async function beginReconciliation(
  db: Db,
  now: Date,
  begunBy: string | null,
): Promise<{ id: string; isNew: boolean }> {
  const id = uuidv7();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("reconciliations")
    .values({ id, began_at: now, begun_by: begunBy, asked: 0, differing: 0, failed: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n) return { id, isNew: true };
  const [newest] = await listReconciliations(db, { limit: 0 });
  return { id: newest!.id, isNew: false };
}

/** Newest first; one row beyond the page. */
export async function listReconciliations(
  db: Db,
  page: { before?: string; limit: number },
): Promise<ReconciliationRow[]> {
  let query = db
    .selectFrom("reconciliations")
    .selectAll()
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  if (page.before) query = query.where("id", "<", page.before);
  return await query.execute();
}

export async function findReconciliation(db: Db, id: string): Promise<ReconciliationRow | undefined> {
  return await db.selectFrom("reconciliations").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Leases the one in progress to this process until `until`. */
export async function holdReconciliation(db: Db, now: Date, until: Date): Promise<ReconciliationRow | undefined> {
  return await db
    .updateTable("reconciliations")
    .set({ held_until: until })
    .where("ended_at", "is", null)
    .where((row) => row.or([row("held_until", "is", null), row("held_until", "<=", now)]))
    .returningAll()
    .executeTakeFirst();
}

/** The next live subscriptions known to the provider, in creation order, across organizations. */
export async function listToReconcile(db: Db, afterId: string | null, limit: number): Promise<SubscriptionRow[]> {
  let query = db
    .selectFrom("subscriptions")
    .selectAll()
    .where("state", "in", ["PENDING_APPROVAL", "ACTIVE", "SUSPENDED"])
    .where("provider_id", "is not", null)
    .orderBy("id")
    .limit(limit);
  if (afterId) query = query.where("id", ">", afterId);
  return await query.execute();
}

export interface Reconciled {
  subscription: SubscriptionRow;
  differences: unknown[];
  failure: string | null;
}

/** Stores the result for one subscription, and continues behind it. */
export async function keepReconciled(
  db: Db,
  reconciliationId: string,
  { subscription, differences, failure }: Reconciled,
  at: Date,
): Promise<void> {
  const differs = differences.length > 0;
  await db
    .updateTable("reconciliations")
    .set((row) => ({
      after_id: subscription.id,
      asked: row("asked", "+", 1),
      differing: row("differing", "+", differs ? 1 : 0),
      failed: row("failed", "+", failure ? 1 : 0),
    }))
    .where("id", "=", reconciliationId)
    .execute();
  if (!differs && !failure) return;
  await db
    .insertInto("reconciled_differences")
    .values({
      reconciliation_id: reconciliationId,
      subscription_id: subscription.id,
      organization_id: subscription.organization_id,
      at,
      differences: json(differences),
      failure,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function releaseReconciliation(
  db: Db,
  id: string,
  { heldUntil = null, endedAt = null }: { heldUntil?: Date | null; endedAt?: Date | null },
): Promise<void> {
  await db
    .updateTable("reconciliations")
    .set({ held_until: heldUntil, ended_at: endedAt })
    .where("id", "=", id)
    .execute();
}

/** Of one reconciliation, by subscription; one row beyond the page. */
export async function listReconciledDifferences(
  db: Db,
  reconciliationId: string,
  page: { after?: string; limit: number },
) {
  let query = db
    .selectFrom("reconciled_differences")
    .selectAll()
    .where("reconciliation_id", "=", reconciliationId)
    .orderBy("subscription_id")
    .limit(page.limit + 1);
  if (page.after) query = query.where("subscription_id", ">", page.after);
  return await query.execute();
}

/** With their findings. */
export async function deleteReconciliationsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("reconciliations").where("ended_at", "<", before).execute();
}
