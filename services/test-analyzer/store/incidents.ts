import { type RawBuilder, type Selectable, sql } from "kysely";
import { severities } from "#contracts/test-analyzer/alert-rules.ts";
import {
  type IncidentCause,
  type IncidentSort,
  type IncidentState,
  incidentCause,
} from "#contracts/test-analyzer/incidents.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { DescribedTest, LastFailure } from "../domain/incident/decisions.ts";
import { type AnalyzerTables, noCircle, table } from "./tables.ts";
import { describedTest, lastFailure } from "./watched-tests.ts";

type Db = Executor<AnalyzerTables>;
type StoredRow = Selectable<AnalyzerTables["incidents"]>;
export type IncidentRow = Omit<StoredRow, "cause" | "failure"> & {
  cause: IncidentCause;
  /** Null for a document and a location. */
  failure: LastFailure | null;
};
export type IncidentTestRow = Omit<Selectable<AnalyzerTables["incident_tests"]>, "described"> & {
  described: DescribedTest;
};
export type EntryRow = Selectable<AnalyzerTables["incident_entries"]>;

/** An incident with the counts of its tests. */
export type ListedIncident = IncidentRow & {
  failing: number;
  affected: number;
  failing_test_ids: string[];
  api_ids: string[];
  test_circle_ids: string[];
};

export function readIncident<Row extends { cause: unknown; failure: unknown }>(row: Row) {
  const failure = row.failure === null ? null : lastFailure.parse(row.failure);
  return { ...row, cause: incidentCause.parse(row.cause), failure };
}

/** Expected and actual result of the newest failure, or what is the matter with a document or a location. */
export const getReason = ({ failure, reason }: Pick<IncidentRow, "failure" | "reason">): string | null =>
  failure ? failure.facts.reason : reason;

export interface IncidentFilter {
  state?: IncidentState | "unresolved";
  apiId?: string;
  testCircleId?: string;
  testIds?: string[];
  /** A moment at which it was open. */
  at?: string;
  now: Date;
}

function matching(organizationId: string, { state, now, ...of }: IncidentFilter): RawBuilder<unknown> {
  const isMuted = sql`coalesce(incident.muted_until > ${now}::timestamptz, false)`;
  const states: Record<NonNullable<IncidentFilter["state"]>, RawBuilder<unknown>> = {
    resolved: sql`incident.resolved_at is not null`,
    unresolved: sql`incident.resolved_at is null`,
    muted: sql`incident.resolved_at is null and ${isMuted}`,
    acknowledged: sql`incident.resolved_at is null and not ${isMuted} and incident.acknowledged_at is not null`,
    opened: sql`incident.resolved_at is null and not ${isMuted} and incident.acknowledged_at is null`,
  };
  const isWithTest = (column: "api_id" | "test_circle_id" | "test_id", ids: string[]) =>
    sql`exists (select from ${table("incident_tests")} test where test.incident_id = incident.id
      and test.organization_id = incident.organization_id and test.${sql.id(column)} = any(${ids}::uuid[]))`;
  const at = sql`${of.at}::timestamptz`;
  return sql`incident.organization_id = ${organizationId}::uuid
    ${state ? sql`and ${states[state]}` : sql``}
    ${of.at ? sql`and incident.since <= ${at} and coalesce(incident.resolved_at >= ${at}, true)` : sql``}
    ${of.apiId ? sql`and (${isUntested} and (incident.api_id = ${of.apiId}::uuid or ${isNamed("apiIds", of.apiId)}) or ${isWithTest("api_id", [of.apiId])})` : sql``}
    ${of.testCircleId ? sql`and (${isUntested} and ${isNamed("testCircleIds", of.testCircleId)} or ${isWithTest("test_circle_id", [of.testCircleId])})` : sql``}
    ${of.testIds ? sql`and ${isWithTest("test_id", of.testIds)}` : sql``}`;
}

/** No test has failed for it: a document's or a location's. */
const isUntested = sql`incident.failure is null`;
/** By the cause of a location. */
const isNamed = (list: "apiIds" | "testCircleIds", id: string) =>
  sql`coalesce(incident.cause -> ${sql.lit(list)} @> ${JSON.stringify([id])}::jsonb, false)`;
const listNamed = (list: "apiIds" | "testCircleIds") =>
  sql`(select array_agg(named::uuid) from jsonb_array_elements_text(incident.cause -> ${sql.lit(list)}) named)`;

const maxFailingTests = sql.raw("50");

const counted = sql`
  select incident.*, tests.failing, tests.affected, tests.failing_test_ids,
    case when ${isUntested} then coalesce(${listNamed("testCircleIds")}, '{}') else tests.test_circle_ids end
      as test_circle_ids,
    case when ${isUntested} then coalesce(${listNamed("apiIds")}, array[incident.api_id]) else tests.api_ids end
      as api_ids
  from incident cross join lateral (
    select count(*)::int as affected, (count(*) filter (where state = 'failing'))::int as failing,
      coalesce((array_agg(distinct test_id) filter (where state = 'failing'))[:${maxFailingTests}], '{}')
        as failing_test_ids,
      coalesce(array_agg(distinct api_id), '{}') as api_ids,
      coalesce(array_agg(distinct test_circle_id) filter (where test_circle_id <> ${noCircle}::uuid), '{}')
        as test_circle_ids
    from ${table("incident_tests")} test where test.incident_id = incident.id
  ) tests`;

/** Sort columns, descending but for the oldest. */
const orders: Record<IncidentSort, RawBuilder<unknown>[]> = {
  newest: [sql`incident.id`],
  oldest: [sql`incident.id`],
  severity: [sql`array_position(${[...severities]}::text[], incident.severity)`, sql`incident.id`],
};

/** One row more than the page. */
export async function listIncidents(
  db: Db,
  organizationId: string,
  filter: IncidentFilter & { sort: IncidentSort; before?: string; limit: number },
): Promise<ListedIncident[]> {
  const order = sql.join(orders[filter.sort]);
  const [than, direction] = filter.sort === "oldest" ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const directed = sql.join(orders[filter.sort].map((column) => sql`${column} ${direction}`));
  const before = filter.before
    ? sql`and (${order}) ${than} (select ${order} from ${table("incidents")} incident
        where incident.organization_id = ${organizationId}::uuid and incident.id = ${filter.before}::uuid)`
    : sql``;
  const { rows } = await sql<ListedIncident>`
    with incident as (
      select incident.* from ${table("incidents")} incident where ${matching(organizationId, filter)} ${before}
      order by ${directed} limit ${filter.limit + 1}
    ) ${counted} order by ${directed}`.execute(db);
  return rows.map(readIncident);
}

/** Whether there were any that affected an API or a circle. */
export async function hasIncidents(
  db: Db,
  organizationId: string,
  of: { apiId: string } | { testCircleId: string },
): Promise<boolean> {
  const tests = db.selectFrom("incident_tests").select("incident_id").where("organization_id", "=", organizationId);
  const ofIt =
    "apiId" in of ? tests.where("api_id", "=", of.apiId) : tests.where("test_circle_id", "=", of.testCircleId);
  return (await ofIt.limit(1).executeTakeFirst()) !== undefined;
}

export async function countIncidents(db: Db, organizationId: string, filter: IncidentFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${table("incidents")} incident
    where ${matching(organizationId, filter)}`.execute(db);
  return rows[0]!.count;
}

export async function findIncident(
  db: Db,
  organizationId: string,
  incidentId: string,
): Promise<ListedIncident | undefined> {
  const { rows } = await sql<ListedIncident>`
    with incident as (
      select * from ${table("incidents")} where organization_id = ${organizationId}::uuid and id = ${incidentId}::uuid
    ) ${counted}`.execute(db);
  return rows[0] && readIncident(rows[0]);
}

/** Failing ones first, then by name. */
export async function listIncidentTests(
  db: Db,
  organizationId: string,
  incidentId: string,
  limit: number,
): Promise<IncidentTestRow[]> {
  const rows = await db
    .selectFrom("incident_tests")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("incident_id", "=", incidentId)
    .orderBy(sql`array_position(array['failing', 'left', 'well'], state)`)
    .orderBy("test_name")
    .orderBy("test_id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, described: describedTest.parse(row.described) }));
}

/** Newest first; one row more than the page. */
export async function listEntries(
  db: Db,
  of: { organizationId: string; incidentId: string },
  page: { before?: string; limit: number },
): Promise<EntryRow[]> {
  let query = db
    .selectFrom("incident_entries")
    .selectAll()
    .where("organization_id", "=", of.organizationId)
    .where("incident_id", "=", of.incidentId)
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  if (page.before) query = query.where("id", "<", page.before);
  return await query.execute();
}

/**
 * Deletes resolved incidents with their entries.
 * @returns the number of deleted rows
 */
export async function deleteIncidentsBefore(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("incidents")
    .where("id", "in", (select) =>
      select.selectFrom("incidents").select("id").where("resolved_at", "<", before).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
