import { type Selectable, type SqlBool, sql } from "kysely";
import { type AlertPolicy, type AlertScope, alertPolicy } from "#contracts/test-analyzer/alert-rules.ts";
import { type Executor, json } from "../../kit/database/database.ts";
import type { Rule } from "../domain/incident/rule-in-force.ts";
import type { AnalyzerTables } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
type StoredRow = Selectable<AnalyzerTables["alert_rules"]>;
export type RuleRow = Omit<StoredRow, "policy"> & { policy: AlertPolicy };

/** Members that an older version of the contract lacks take their defaults. */
function read(row: StoredRow): RuleRow;
function read(row: StoredRow | undefined): RuleRow | undefined;
function read(row: StoredRow | undefined): RuleRow | undefined {
  return row && { ...row, policy: alertPolicy.parse(row.policy) };
}

/** @throws the database's unique violation when the scope has a rule */
export async function insertRule(db: Db, row: RuleRow): Promise<void> {
  await db
    .insertInto("alert_rules")
    .values({ ...row, policy: json(row.policy) })
    .execute();
}

export async function findRule(db: Db, organizationId: string, ruleId: string): Promise<RuleRow | undefined> {
  const row = await db
    .selectFrom("alert_rules")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", ruleId)
    .executeTakeFirst();
  return read(row);
}

export interface RuleFilter {
  kind?: AlertScope["kind"];
  /** Ids of APIs or circles. */
  scopeIds?: string[];
  channelId?: string;
  after?: string;
  limit: number;
}

/** Oldest first; one row more than the page. */
export async function listRules(db: Db, organizationId: string, filter: RuleFilter): Promise<RuleRow[]> {
  let query = db
    .selectFrom("alert_rules")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("id")
    .limit(filter.limit + 1);
  if (filter.kind) query = query.where("scope_kind", "=", filter.kind);
  if (filter.scopeIds) query = query.where(sql<SqlBool>`scope_id = any(${filter.scopeIds}::uuid[])`);
  if (filter.channelId) query = query.where(sql<SqlBool>`channel_ids @> array[${filter.channelId}::uuid]`);
  if (filter.after) query = query.where("id", ">", filter.after);
  return (await query.execute()).map((row) => read(row));
}

/** Not paged: an organization has few rules. */
export async function listAllRules(db: Db, organizationId: string): Promise<Rule[]> {
  const rows = await db.selectFrom("alert_rules").selectAll().where("organization_id", "=", organizationId).execute();
  return rows.map((stored) => {
    const { scope_kind: scopeKind, scope_id: scopeId, policy, channel_ids: channelIds } = read(stored);
    return { scopeKind, scopeId, policy, channelIds };
  });
}

/** Overwrites the content and increments the version; undefined when it is missing or has none of the versions. */
export async function updateRule(
  db: Db,
  row: Pick<RuleRow, "organization_id" | "id" | "policy" | "channel_ids" | "updated_at">,
  versions: number[] | undefined,
): Promise<RuleRow | undefined> {
  const { organization_id, id, policy, ...changes } = row;
  let update = db
    .updateTable("alert_rules")
    .set((of) => ({ ...changes, policy: json(policy), version: of("version", "+", 1) }))
    .where("organization_id", "=", organization_id)
    .where("id", "=", id);
  if (versions) update = update.where(sql<SqlBool>`version = any(${versions}::int[])`);
  return read(await update.returningAll().executeTakeFirst());
}

/** Deletes the rule of a deleted API or circle. */
export async function removeScopedRule(
  db: Db,
  organizationId: string,
  scope: { kind: AlertScope["kind"]; id: string },
): Promise<void> {
  await db
    .deleteFrom("alert_rules")
    .where("organization_id", "=", organizationId)
    .where("scope_kind", "=", scope.kind)
    .where("scope_id", "=", scope.id)
    .execute();
}

/** @returns the deleted row */
export async function removeRule(
  db: Db,
  organizationId: string,
  ruleId: string,
  versions: number[] | undefined,
): Promise<RuleRow | undefined> {
  let removal = db.deleteFrom("alert_rules").where("organization_id", "=", organizationId).where("id", "=", ruleId);
  if (versions) removal = removal.where(sql<SqlBool>`version = any(${versions}::int[])`);
  return read(await removal.returningAll().executeTakeFirst());
}
