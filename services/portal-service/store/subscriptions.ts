import { type Selectable, sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { Executor } from "../../kit/database/database.ts";
import type { OpenAction } from "../domain/operator-action.ts";
import type { Planned, PlannedPlan } from "../domain/plan-change.ts";
import { type Entitling, liveStates, type SubscriptionState } from "../domain/subscription.ts";
import type { Trial } from "../domain/trial.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;
export type SubscriptionRow = Selectable<PortalTables["subscriptions"]>;

/** The columns that decide what a subscription grants. */
export const toEntitling = (row: SubscriptionRow): Entitling => ({
  state: row.state,
  paidUntil: row.paid_until,
  stateChangedAt: row.state_changed_at,
});

/** The plan of a row, and the one planned for later. */
export const toPlanned = (row: SubscriptionRow): Planned => ({
  current: { serviceId: row.service_id, price: { minorUnits: row.price_minor, currency: row.price_currency } },
  next: getNextPlan(row),
});

function getNextPlan(row: SubscriptionRow): PlannedPlan | null {
  const { next_service_id: serviceId, next_plan_at: at } = row;
  if (!serviceId || !at) return null;
  return { serviceId, price: { minorUnits: row.next_price_minor!, currency: row.next_price_currency! }, at };
}

export const toPlanColumns = ({ current, next }: Planned) => ({
  service_id: current.serviceId,
  price_minor: current.price.minorUnits,
  price_currency: current.price.currency,
  next_service_id: next?.serviceId ?? null,
  next_price_minor: next?.price.minorUnits ?? null,
  next_price_currency: next?.price.currency ?? null,
  next_plan_at: next?.at ?? null,
});

export const toTrial = (row: SubscriptionRow): Trial => ({
  days: row.trial_days,
  endsAt: row.trial_ends_at,
  noticedAt: row.trial_told_at,
});

/** The operator's action, while it may be in progress. */
export function toOpenAction(row: SubscriptionRow): OpenAction | undefined {
  const { deed_state: state, deed_because: because, deed_by: userId, deed_ends_at: endsAt } = row;
  return state ? { state, because: because!, userId: userId!, endsAt: endsAt! } : undefined;
}

export const toActionColumns = (action: OpenAction | undefined) => ({
  deed_state: action?.state ?? null,
  deed_because: action?.because ?? null,
  deed_by: action?.userId ?? null,
  deed_ends_at: action?.endsAt ?? null,
});

const ofOrganization = (db: Db, organizationId: string) =>
  db.selectFrom("subscriptions").selectAll().where("organization_id", "=", organizationId);

/** Newest first; one row beyond the page. */
export async function listSubscriptions(
  db: Db,
  organizationId: string,
  page: { before?: string; limit: number },
): Promise<SubscriptionRow[]> {
  let query = ofOrganization(db, organizationId)
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  if (page.before) query = query.where("id", "<", page.before);
  return await query.execute();
}

export async function findSubscription(db: Db, organizationId: string, id: string) {
  return await ofOrganization(db, organizationId).where("id", "=", id).executeTakeFirst();
}

/** The live one; a replaced one is not. */
export async function findLive(db: Db, organizationId: string) {
  return await ofOrganization(db, organizationId)
    .where("state", "in", liveStates)
    .where("superseded", "=", false)
    .executeTakeFirst();
}

/** Serializes subscribing for an organization. */
export async function lockOrganization(db: Db, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 5108843714))`.execute(db);
}

/** An organization may have a trial when none of its subscriptions was ever approved. */
export async function hasSubscribed(db: Db, organizationId: string): Promise<boolean> {
  return (await listApproved(db, organizationId)).length > 0;
}

/** Those ever approved, newest first, with what they granted or grant. */
export async function listApproved(db: Db, organizationId: string): Promise<SubscriptionRow[]> {
  return await ofOrganization(db, organizationId)
    .where((row) => row.or([row("paid_until", "is not", null), row("state", "in", ["ACTIVE", "SUSPENDED"])]))
    .orderBy("id", "desc")
    .limit(100)
    .execute();
}

/**
 * The subscription of a user who returned with these, from approving it or a change of its plan; one of the two is
 * enough, and both must match each other.
 */
export async function findReturned(
  db: Db,
  organizationId: string,
  by: { providerId?: string; approvalHash?: string },
): Promise<SubscriptionRow | undefined> {
  if (!by.providerId && !by.approvalHash) return undefined;
  let query = ofOrganization(db, organizationId);
  if (by.providerId) query = query.where("provider_id", "=", by.providerId);
  const { approvalHash } = by;
  if (approvalHash)
    query = query.where((row) =>
      row.or([
        row("approval_hash", "=", approvalHash),
        row(
          "id",
          "in",
          row
            .selectFrom("plan_changes")
            .select("subscription_id")
            .where("organization_id", "=", organizationId)
            .where("plan_changes.approval_hash", "=", approvalHash),
        ),
      ]),
    );
  return await query.executeTakeFirst();
}

/** Throws the database's unique violation when another one is live. */
export async function insertSubscription(db: Db, row: SubscriptionRow): Promise<void> {
  await db.insertInto("subscriptions").values(row).execute();
}

export async function updateSubscription(
  db: Db,
  { organization_id, id, ...changes }: Pick<SubscriptionRow, "organization_id" | "id"> & Partial<SubscriptionRow>,
): Promise<SubscriptionRow> {
  return await db
    .updateTable("subscriptions")
    .set(changes)
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Increments the number of calls to the provider.
 * @returns the call's number
 */
export async function countQuestion(db: Db, organizationId: string, id: string): Promise<SubscriptionRow> {
  return await db
    .updateTable("subscriptions")
    .set((row) => ({ asked: row("asked", "+", 1) }))
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function lockSubscription(db: Db, organizationId: string, id: string): Promise<SubscriptionRow> {
  return await ofOrganization(db, organizationId).where("id", "=", id).forUpdate().executeTakeFirstOrThrow();
}

/** Leases due subscriptions to this process until `until`. */
export async function takeDue(db: Db, now: Date, until: Date, limit: number): Promise<SubscriptionRow[]> {
  return await db
    .updateTable("subscriptions")
    .set({ ask_at: until })
    .where("id", "in", (one) =>
      one
        .selectFrom("subscriptions")
        .select("id")
        .where("ask_at", "<=", now)
        .orderBy("ask_at")
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

export async function askAt(db: Db, subscriptions: Pick<SubscriptionRow, "id">[], at: Date): Promise<void> {
  const ids = subscriptions.map(({ id }) => id);
  await db.updateTable("subscriptions").set({ ask_at: at }).where("id", "in", ids).execute();
}

/** Across organizations: provider events contain no organization. */
export async function findByProviderId(db: Db, providerId: string): Promise<{ id: string; provider_id: string }[]> {
  const rows = await db.selectFrom("subscriptions").select("id").where("provider_id", "=", providerId).execute();
  return rows.map(({ id }) => ({ id, provider_id: providerId }));
}

/**
 * The provider sent events about these: those of this portal are checked now. That increments the call number, so
 * that a call already in progress does not count as the check: its response may be older.
 */
export async function hintAt(db: Db, providerIds: string[], now: Date): Promise<void> {
  if (providerIds.length === 0) return;
  await db
    .updateTable("subscriptions")
    .set((row) => ({ ask_at: now, hinted_at: now, asked: row("asked", "+", 1) }))
    .where("provider_id", "in", providerIds)
    .execute();
}

export async function addEntry(
  db: Db,
  entry: {
    subscription: Pick<SubscriptionRow, "id" | "organization_id">;
    at: Date;
    state: SubscriptionState;
    text: string;
    userId?: string;
  },
): Promise<void> {
  await db
    .insertInto("subscription_entries")
    .values({
      id: uuidv7(),
      subscription_id: entry.subscription.id,
      organization_id: entry.subscription.organization_id,
      at: entry.at,
      state: entry.state,
      text: entry.text,
      user_id: entry.userId ?? null,
    })
    .execute();
}

export async function listEntries(
  db: Db,
  of: { organizationId: string; subscriptionId: string },
  page: { before?: string; limit: number },
) {
  let query = db
    .selectFrom("subscription_entries")
    .selectAll()
    .where("organization_id", "=", of.organizationId)
    .where("subscription_id", "=", of.subscriptionId)
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  if (page.before) query = query.where("id", "<", page.before);
  return await query.execute();
}
