import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { NotificationState, UserNotification } from "#contracts/portal-service/notifications.ts";
import { outstandingStates } from "#contracts/portal-service/outstanding.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { NotificationStatus } from "../domain/notification.ts";
import { greeting, introduction, type Template, type Wording } from "../domain/welcome-notifications.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;

const displayedColumns = [
  "id",
  "type",
  "priority",
  "summary",
  "description",
  "action",
  "subscription_id",
  "created_at",
  "updated_at",
] as const;
type Row = Pick<PortalTables["notifications"], (typeof displayedColumns)[number] | "state">;

/** The recipient of a notification: a user in an organization, never one without the other. */
export interface Owner {
  userId: string;
  organizationId: string;
}

/** The specification's list has no pages. */
const longestList = 200;

/** The state at a moment: a notification skipped for a day is new again after it, without a write. */
function stateAt(now: Date) {
  return sql<NotificationState>`case when state = 'SKIPPED' and returns_at <= ${now} then 'NEW' else state end`;
}

function selectOwn(db: Db, { organizationId, userId }: Owner, now: Date) {
  return db
    .selectFrom("notifications")
    .select(displayedColumns)
    .select(stateAt(now).as("state"))
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId);
}

function toNotification(row: Row): UserNotification {
  return {
    id: row.id,
    type: row.type,
    state: row.state,
    priority: row.priority,
    summary: row.summary,
    description: row.description,
    action: row.action,
    subscriptionId: row.subscription_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Outstanding ones first, each part newest first (ids are in time order). */
export async function listOwnNotifications(db: Db, owner: Owner, now: Date): Promise<UserNotification[]> {
  const rows = await selectOwn(db, owner, now)
    .orderBy(sql`${stateAt(now)} in (${sql.join(outstandingStates)})`, "desc")
    .orderBy("id", "desc")
    .limit(longestList)
    .execute();
  return rows.map(toNotification);
}

export async function findOwnNotification(db: Db, owner: Owner, id: string, now: Date) {
  const row = await selectOwn(db, owner, now).where("id", "=", id).executeTakeFirst();
  return row && toNotification(row);
}

export async function isGreeted(db: Db, { organizationId, userId }: Owner): Promise<boolean> {
  const row = await db
    .selectFrom("notifications")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("template", "=", greeting)
    .executeTakeFirst();
  return row !== undefined;
}

/** Creates the missing ones; the first of them will be the newest in lists. */
export async function insertNotifications(
  db: Db,
  { organizationId, userId }: Owner,
  wordings: readonly Wording[],
  now: Date,
  subscriptionId: string | null = null,
): Promise<void> {
  const rows = wordings.toReversed().map(({ about = "", ...wording }) => ({
    ...wording,
    about,
    id: uuidv7(),
    organization_id: organizationId,
    user_id: userId,
    state: "NEW" as const,
    subscription_id: subscriptionId,
    returns_at: null,
    created_at: now,
    updated_at: now,
  }));
  await db
    .insertInto("notifications")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The subjects about which a user was notified with a template. */
export async function listNotifiedIds(
  db: Db,
  { organizationId, userId }: Owner,
  template: Template,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom("notifications")
    .select("about")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("template", "=", template)
    .execute();
  return new Set(rows.map(({ about }) => about));
}

/** Closes an organization's notifications about its former plan. */
export async function completeOfPlan(db: Db, organizationId: string, now: Date): Promise<void> {
  await db
    .updateTable("notifications")
    .set({ state: "COMPLETED", returns_at: null, updated_at: now })
    .where("organization_id", "=", organizationId)
    .where("template", "in", ["limit-near", "runs-skipped", "subscribe"])
    .where("state", "!=", "COMPLETED")
    .execute();
}

/** Closes the introductions of an organization's users: their step is done. */
export async function completeIntroductions(db: Db, organizationId: string, now: Date): Promise<void> {
  await db
    .updateTable("notifications")
    .set({ state: "COMPLETED", returns_at: null, updated_at: now })
    .where("organization_id", "=", organizationId)
    .where("template", "=", greeting)
    .where("description", "=", introduction.description)
    .where("state", "!=", "COMPLETED")
    .execute();
}

/** The notification about a subscription, if the user has one. */
export async function findPaymentApproval(db: Db, owner: Owner, subscriptionId: string, now: Date) {
  const row = await selectOwn(db, owner, now)
    .where("template", "=", "approve-payment")
    .where("subscription_id", "=", subscriptionId)
    .executeTakeFirst();
  return row && toNotification(row);
}

/**
 * Changes a notification to the state that `decide` returns; the row is locked meanwhile, so that two tabs take
 * turns.
 * @param decide throws for a transition that is not allowed
 * @returns the notification as it is now; undefined when the owner has none with this id
 */
export async function moveOwnNotification(
  transaction: Db,
  owner: Owner,
  id: string,
  decide: (current: NotificationStatus) => NotificationStatus,
  now: Date,
): Promise<UserNotification | undefined> {
  const row = await selectOwn(transaction, owner, now)
    .select("returns_at")
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const returnsAt = row.state === "SKIPPED" ? row.returns_at : null;
  const next = decide({ state: row.state, returnsAt });
  if (next.state === row.state && next.returnsAt === returnsAt) return toNotification(row);
  const moved = await transaction
    .updateTable("notifications")
    .set({ state: next.state, returns_at: next.returnsAt, updated_at: now })
    .where("organization_id", "=", owner.organizationId)
    .where("user_id", "=", owner.userId)
    .where("id", "=", id)
    .returning([...displayedColumns, "state"])
    .executeTakeFirstOrThrow();
  return toNotification(moved);
}

/** Closes the notifications about a subscription. */
export async function completeOfSubscription(db: Db, organizationId: string, subscriptionId: string, now: Date) {
  await db
    .updateTable("notifications")
    .set({ state: "COMPLETED", returns_at: null, updated_at: now })
    .where("organization_id", "=", organizationId)
    .where("subscription_id", "=", subscriptionId)
    .where("state", "!=", "COMPLETED")
    .execute();
}

/** Creates it as new again. */
export async function insertNotificationAnew(
  db: Db,
  owner: Owner,
  wording: Wording,
  now: Date,
  subscriptionId: string,
) {
  await db
    .deleteFrom("notifications")
    .where("organization_id", "=", owner.organizationId)
    .where("user_id", "=", owner.userId)
    .where("template", "=", wording.template)
    .where("subscription_id", "=", subscriptionId)
    .execute();
  await insertNotifications(db, owner, [wording], now, subscriptionId);
}
