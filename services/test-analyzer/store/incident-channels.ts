import { createHash } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { DeliveryState } from "#contracts/test-analyzer/alert-deliveries.ts";
import type { AlertIncident } from "#contracts/test-analyzer/alert-messages.ts";
import { type QuietHours, quietHours, type Severity } from "#contracts/test-analyzer/alert-rules.ts";
import type { Recovery } from "#contracts/test-analyzer/recoveries.ts";
import { type Executor, json } from "../../kit/database/database.ts";
import { getIncidentRecovery } from "../domain/incident/recovery.ts";
import { getReason, type IncidentRow, readIncident } from "./incidents.ts";
import { listRecoveringTests } from "./recovering-tests.ts";
import { type AnalyzerTables, type AnalyzerTransaction, table } from "./tables.ts";
import { describedTest } from "./watched-tests.ts";

type Db = Executor<AnalyzerTables>;
type StoredRow = Selectable<AnalyzerTables["incident_channels"]>;
export type IncidentChannelRow = Omit<StoredRow, "quiet_hours"> & { quiet_hours: QuietHours | null };
/** With the delivery state of the first message. */
export type NotifiedChannel = IncidentChannelRow & Added;
type Added = { delivery_state: DeliveryState; muted_until: Date | null; severity: Severity };

export async function insertIncidentChannels(
  transaction: AnalyzerTransaction,
  rows: readonly IncidentChannelRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await transaction
    .insertInto("incident_channels")
    .values(rows.map((row) => ({ ...row, quiet_hours: row.quiet_hours && json(row.quiet_hours) })))
    .execute();
}

/** Channels that were notified of these incidents. */
export async function listNotifiedChannels(
  db: Db,
  organizationId: string,
  incidentIds: string[],
): Promise<NotifiedChannel[]> {
  const { rows } = await sql<StoredRow & Added>`
    select notified.*, coalesce(delivery.state, 'delivered') as delivery_state, incident.muted_until, incident.severity
    from ${table("incident_channels")} notified
    join ${table("incidents")} incident on incident.id = notified.incident_id
    left join ${table("alert_deliveries")} delivery on delivery.id = notified.delivery_id
    where notified.organization_id = ${organizationId}::uuid and notified.incident_id = any(${incidentIds}::uuid[])
    order by notified.channel_id, notified.incident_id`.execute(db);
  return rows.map((row) => ({
    ...row,
    quiet_hours: row.quiet_hours === null ? null : quietHours.parse(row.quiet_hours),
  }));
}

/** Assigns a separate delivery to the channel for these incidents. */
export async function updateNotified(
  transaction: AnalyzerTransaction,
  notified: { channelId: string; incidentIds: string[]; deliveryId: string },
): Promise<void> {
  await sql`
    update ${table("incident_channels")} set delivery_id = ${notified.deliveryId}
    where channel_id = ${notified.channelId}::uuid and incident_id = any(${notified.incidentIds}::uuid[])`.execute(
    transaction,
  );
}

/** Channels notified of an incident, by name, with the state of the first delivery, which is stored for 90 days. */
export async function listChannelsByIncident(
  db: Db,
  { organizationId, incidentId }: { organizationId: string; incidentId: string },
) {
  return await db
    .selectFrom("incident_channels as notified")
    .innerJoin("alert_channels as channel", "channel.id", "notified.channel_id")
    .leftJoin("alert_deliveries as delivery", "delivery.id", "notified.delivery_id")
    .select(["channel.id", "channel.name", "channel.kind"])
    .select(["delivery.created_at", "delivery.state", "delivery.detail", "delivery.not_before"])
    .where("notified.organization_id", "=", organizationId)
    .where("notified.incident_id", "=", incidentId)
    .orderBy("channel.name")
    .execute();
}

/** Organizations with due reminders. */
export async function listDueReminders(db: Db, now: Date): Promise<{ organization_id: string }[]> {
  return await db
    .selectFrom("incident_channels")
    .select("organization_id")
    .distinct()
    .where("remind_at", "<=", now)
    .execute();
}

/** Takes the due reminders of incidents that are not muted; each is due again after its interval. */
export async function takeReminders(
  transaction: AnalyzerTransaction,
  organizationId: string,
  now: Date,
): Promise<NotifiedChannel[]> {
  const { rows } = await sql<{ incident_id: string; channel_id: string }>`
    update ${table("incident_channels")} set remind_at = ${now}::timestamptz + make_interval(hours => remind_hours)
    where organization_id = ${organizationId}::uuid and remind_at <= ${now}::timestamptz
    returning incident_id, channel_id`.execute(transaction);
  const due = new Set(rows.map((row) => `${row.incident_id} ${row.channel_id}`));
  const notified = await listNotifiedChannels(
    transaction,
    organizationId,
    rows.map((row) => row.incident_id),
  );
  return notified.filter(
    (row) => due.has(`${row.incident_id} ${row.channel_id}`) && !(row.muted_until && row.muted_until > now),
  );
}

/** Stops the reminders of these incidents. */
export async function endReminders(transaction: AnalyzerTransaction, incidentIds: string[]): Promise<void> {
  await sql`
    update ${table("incident_channels")} set remind_at = null
    where incident_id = any(${incidentIds}::uuid[]) and remind_at is not null`.execute(transaction);
}

const maxTests = 5;
const maxRecovering = 200;

/** Identifies a cause outside of the portal, across organizations too. */
function toCauseKey({ organization_id, fingerprint }: Pick<IncidentRow, "organization_id" | "fingerprint">): string {
  return createHash("sha256").update(`${organization_id} ${fingerprint}`).digest("hex").slice(0, 32);
}

/** Schedules change until the message is read. */
function omitNextRun({ nextRunAt: _, ...recovery }: Recovery) {
  return recovery;
}

/** Incidents as alerts describe them: with a few of the failing tests or, when resolved, of those that failed. */
export async function describeIncidents(
  db: Db,
  organizationId: string,
  incidentIds: readonly string[],
): Promise<Map<string, AlertIncident>> {
  const { rows } = await sql<
    Omit<IncidentRow, "cause" | "failure"> & {
      cause: unknown;
      failure: unknown;
      failing: number;
      tests: { described: unknown; reason: string | null }[];
    }
  >`
    select incident.*, shown.tests,
      (select count(*)::int from ${table("incident_tests")} test
        where test.incident_id = incident.id and test.state = 'failing') as failing
    from ${table("incidents")} incident cross join lateral (
      select coalesce(json_agg(json_build_object('described', described, 'reason', reason)), '[]') as tests from (
        select described, reason from ${table("incident_tests")} test
        where test.incident_id = incident.id and (test.state = 'failing' or incident.resolved_at is not null)
        order by test_name, test_id limit ${maxTests}
      ) first_tests
    ) shown
    where incident.organization_id = ${organizationId}::uuid and incident.id = any(${[...incidentIds]}::uuid[])`.execute(
    db,
  );
  const recovering = await listRecoveringTests(db, organizationId, { incidentIds, limit: maxRecovering });
  return new Map(
    rows.map((stored) => {
      const { cause, failure } = readIncident(stored);
      const own = recovering.filter(({ incidentId }) => incidentId === stored.id);
      const recovery = getIncidentRecovery(own, stored.failing, new Map());
      return [
        stored.id,
        {
          id: stored.id,
          title: stored.title,
          severity: stored.severity,
          cause,
          causeKey: toCauseKey(stored),
          unsteady: stored.is_unsteady,
          since: stored.since.toISOString(),
          resolvedAt: stored.resolved_at?.toISOString() ?? null,
          reason: getReason({ failure, reason: stored.reason }),
          ...(failure?.facts.places ? { places: failure.facts.places } : {}),
          failing: stored.failing,
          tests: stored.tests.map(({ described, reason }) => {
            const {
              testName: name,
              method,
              path,
              apiName,
              testCircleName,
              environment,
              environmentUsed,
            } = describedTest.parse(described);
            const used = environmentUsed || environment || null;
            return { name, method, path, apiName, testCircleName, environment: used, reason };
          }),
          runId: failure?.runId ?? null,
          apiId: stored.api_id,
          resolvedRun:
            stored.resolved_run_id && stored.resolved_api_id
              ? { runId: stored.resolved_run_id, apiId: stored.resolved_api_id }
              : null,
          recovery: recovery && omitNextRun(recovery),
        },
      ];
    }),
  );
}
