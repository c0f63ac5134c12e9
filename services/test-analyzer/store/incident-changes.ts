import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { EntryKind } from "#contracts/test-analyzer/incidents.ts";
import { type Executor, json } from "../../kit/database/database.ts";
import type { Incident, WatchedTest } from "../domain/incident/decisions.ts";
import { type EntryRow, type IncidentRow, readIncident } from "./incidents.ts";
import { type AnalyzerTables, type AnalyzerTransaction, table } from "./tables.ts";
import { toTestKey } from "./watched-tests.ts";

/**
 * Serializes decisions on incidents of an organization until the transaction ends, so that of two events with one cause
 * the second finds the incident that the first has opened.
 */
export async function takeTurn(transaction: AnalyzerTransaction, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 7206))`.execute(transaction);
}

/** Unresolved incidents, by id or by fingerprint, with the number of tests in each. */
export async function loadOpenIncidents(
  db: Executor<AnalyzerTables>,
  organizationId: string,
  sought: { ids: string[]; fingerprints: string[] },
): Promise<Incident[]> {
  const { rows } = await sql<
    Omit<IncidentRow, "cause" | "failure"> & { cause: unknown; failure: unknown; failing: number }
  >`
    select incident.*, (select count(*)::int from ${table("watched_tests")} test where test.incident_id = incident.id)
      as failing
    from ${table("incidents")} incident
    where organization_id = ${organizationId}::uuid and resolved_at is null and failure is not null
      and (id = any(${sought.ids}::uuid[]) or fingerprint = any(${sought.fingerprints}::text[]))`.execute(db);
  return rows.map((stored) => {
    const row = { ...stored, ...readIncident(stored) };
    return {
      id: row.id,
      fingerprint: row.fingerprint,
      cause: row.cause,
      title: row.title,
      severity: row.severity,
      isUnsteady: row.is_unsteady,
      since: row.since,
      openedAt: row.opened_at,
      resolvedAt: null,
      resolvedBy: null,
      mutedUntil: row.muted_until,
      failure: row.failure!,
      apiId: row.api_id,
      failing: row.failing,
      isNew: false,
    };
  });
}

/** Mutes that outlast the last incident of a cause, by its fingerprint. Resolving manually ends the mute. */
export async function findMutes(
  db: Executor<AnalyzerTables>,
  organizationId: string,
  fingerprints: string[],
  now: Date,
): Promise<Map<string, Date>> {
  const { rows } = await sql<{ fingerprint: string; muted_until: Date }>`
    select last.* from unnest(${fingerprints}::text[]) as sought(fingerprint) cross join lateral (
      select fingerprint, muted_until, resolved_by from ${table("incidents")} incident
      where organization_id = ${organizationId}::uuid and incident.fingerprint = sought.fingerprint
      order by id desc limit 1
    ) last
    where last.muted_until > ${now}::timestamptz and last.resolved_by is null`.execute(db);
  return new Map(rows.map((row) => [row.fingerprint, row.muted_until]));
}

const rowsAtOnce = 500;

function* inParts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let from = 0; from < items.length; from += rowsAtOnce) yield items.slice(from, from + rowsAtOnce);
}

/** Resolved ones first: each cause has at most one unresolved incident. */
export async function storeIncidents(
  transaction: AnalyzerTransaction,
  organizationId: string,
  incidents: readonly Incident[],
): Promise<void> {
  const resolved = incidents.filter(({ resolvedAt }) => resolvedAt !== null);
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null);
  for (const part of [...inParts(resolved), ...inParts(open)]) {
    await transaction
      .insertInto("incidents")
      .values(
        part.map((incident) => ({
          id: incident.id,
          organization_id: organizationId,
          fingerprint: incident.fingerprint,
          cause: json(incident.cause),
          title: incident.title,
          is_unsteady: incident.isUnsteady,
          severity: incident.severity,
          since: incident.since,
          opened_at: incident.openedAt,
          muted_until: incident.mutedUntil,
          resolved_at: incident.resolvedAt,
          resolved_run_id: incident.resolvedBy?.runId ?? null,
          resolved_api_id: incident.resolvedBy?.apiId ?? null,
          failure: json(incident.failure),
          api_id: incident.apiId,
        })),
      )
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet((row) => ({
          is_unsteady: row.ref("excluded.is_unsteady"),
          severity: row.ref("excluded.severity"),
          resolved_at: row.ref("excluded.resolved_at"),
          resolved_run_id: row.ref("excluded.resolved_run_id"),
          resolved_api_id: row.ref("excluded.resolved_api_id"),
          failure: row.ref("excluded.failure"),
          api_id: row.ref("excluded.api_id"),
        })),
      )
      .execute();
  }
}

export interface TestInIncident {
  incident: Incident;
  test: WatchedTest;
  state: "failing" | "well" | "left";
}

/** States of tests in incidents. A recovered test keeps its last failure. */
export async function storeIncidentTests(
  transaction: AnalyzerTransaction,
  organizationId: string,
  tests: readonly TestInIncident[],
): Promise<void> {
  for (const part of inParts(tests)) {
    await transaction
      .insertInto("incident_tests")
      .values(
        part.map(({ incident, test: { described, failure, since }, state }) => ({
          incident_id: incident.id,
          ...toTestKey(organizationId, described),
          described: json(described),
          api_id: described.apiId,
          test_name: described.testName,
          state,
          since: since ?? incident.since,
          reason: (failure ?? incident.failure).facts.reason,
          run_id: (failure ?? incident.failure).runId,
          execution_id: (failure ?? incident.failure).facts.executionId,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(["incident_id", "test_circle_id", "test_id", "environment"]).doUpdateSet((row) => {
          const ifFailing = (column: "reason" | "run_id" | "execution_id") =>
            sql<string>`case when excluded.state = 'failing' then excluded.${sql.id(column)}
              else incident_tests.${sql.id(column)} end`;
          return {
            state: row.ref("excluded.state"),
            described: row.ref("excluded.described"),
            reason: ifFailing("reason"),
            run_id: ifFailing("run_id"),
            execution_id: ifFailing("execution_id"),
          };
        }),
      )
      .execute();
  }
}

export interface NewEntry {
  organizationId: string;
  incidentId: string;
  at: Date;
  kind: EntryKind;
  text: string;
  until?: Date;
  by?: { id: string; name: string };
  runId?: string | null;
  apiId?: string | null;
}

/** In the given order. */
export async function insertEntries(transaction: AnalyzerTransaction, entries: readonly NewEntry[]): Promise<void> {
  for (const part of inParts(entries)) {
    const rows = part.map(
      (entry): EntryRow => ({
        id: uuidv7(),
        organization_id: entry.organizationId,
        incident_id: entry.incidentId,
        at: entry.at,
        kind: entry.kind,
        text: entry.text,
        lasts_until: entry.until ?? null,
        actor_id: entry.by?.id ?? null,
        actor_name: entry.by?.name ?? null,
        run_id: entry.runId ?? null,
        api_id: entry.apiId ?? null,
      }),
    );
    await transaction.insertInto("incident_entries").values(rows).execute();
  }
}

/** The columns that a user's action on an incident changes. */
export type IncidentAction = Partial<
  Pick<
    IncidentRow,
    | "acknowledged_at"
    | "acknowledged_by"
    | "acknowledged_name"
    | "muted_until"
    | "resolved_at"
    | "resolved_by"
    | "resolved_name"
  >
>;

/** @returns whether it was still unresolved */
export async function updateIncident(
  transaction: AnalyzerTransaction,
  { organizationId, incidentId }: { organizationId: string; incidentId: string },
  action: IncidentAction,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("incidents")
    .set(action)
    .where("organization_id", "=", organizationId)
    .where("id", "=", incidentId)
    .where("resolved_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
