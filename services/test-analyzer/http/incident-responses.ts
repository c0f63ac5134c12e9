import type {
  IncidentEntry,
  IncidentState,
  IncidentSummary,
  IncidentTest,
  NotifiedChannel,
} from "#contracts/test-analyzer/incidents.ts";
import type { Recoveries } from "../jobs/recoveries.ts";
import type { listChannelsByIncident } from "../store/incident-channels.ts";
import {
  type EntryRow,
  getReason,
  type IncidentRow,
  type IncidentTestRow,
  type ListedIncident,
} from "../store/incidents.ts";

export function getState(row: IncidentRow, now: Date): IncidentState {
  if (row.resolved_at) return "resolved";
  if (row.muted_until && row.muted_until > now) return "muted";
  return row.acknowledged_at ? "acknowledged" : "opened";
}

function getPerson(id: string | null, name: string | null) {
  return id !== null && name !== null ? { id, name } : null;
}

export function toIncidentSummary(row: ListedIncident, now: Date, recoveries: Recoveries): IncidentSummary {
  const acknowledgedBy = getPerson(row.acknowledged_by, row.acknowledged_name);
  const isMuted = row.muted_until !== null && row.muted_until > now;
  return {
    id: row.id,
    title: row.title,
    cause: row.cause,
    unsteady: row.is_unsteady,
    reason: getReason(row),
    places: row.failure?.facts.places ?? [],
    severity: row.severity,
    state: getState(row, now),
    since: row.since.toISOString(),
    openedAt: row.opened_at.toISOString(),
    acknowledged:
      row.acknowledged_at && acknowledgedBy ? { at: row.acknowledged_at.toISOString(), by: acknowledgedBy } : null,
    mutedUntil: isMuted ? row.muted_until!.toISOString() : null,
    resolved: row.resolved_at
      ? {
          at: row.resolved_at.toISOString(),
          by: getPerson(row.resolved_by, row.resolved_name),
          run:
            row.resolved_run_id && row.resolved_api_id
              ? { runId: row.resolved_run_id, apiId: row.resolved_api_id }
              : null,
        }
      : null,
    recovery: recoveries.ofIncident(row),
    failing: row.failing,
    failingTestIds: row.failing_test_ids,
    affected: row.affected,
    apiIds: row.api_ids,
    testCircleIds: row.test_circle_ids,
    runId: row.failure?.runId ?? null,
    apiId: row.api_id,
  };
}

export function toTest({ described, ...row }: IncidentTestRow, recoveries: Recoveries): IncidentTest {
  const { testId, testName, method, path, apiId, apiName, testCircleId, testCircleName, environment } = described;
  const recovering = recoveries.tests.find(
    (test) => test.testId === testId && test.testCircleId === testCircleId && test.environment === environment,
  );
  return {
    ...{ testId, testName, method, path, apiId, apiName, testCircleId, testCircleName },
    environment: environment || null,
    state: row.state,
    since: row.since.toISOString(),
    reason: row.reason,
    runId: row.run_id,
    executionId: row.execution_id,
    recovery: recovering ? recoveries.of(recovering) : null,
  };
}

export function toChannel(row: Awaited<ReturnType<typeof listChannelsByIncident>>[number]): NotifiedChannel {
  const { id: channelId, name, kind, state, detail, created_at, not_before } = row;
  return {
    ...{ channelId, name, kind, state: state ?? "delivered", detail },
    at: created_at?.toISOString() ?? null,
    notBefore: not_before?.toISOString() ?? null,
  };
}

/** @param userId the viewer, who may delete their own comments */
export function toEntry(row: EntryRow, userId: string): IncidentEntry {
  const { id, at, kind, text, lasts_until, actor_id, actor_name, run_id, api_id } = row;
  const by = getPerson(actor_id, actor_name);
  const until = lasts_until?.toISOString() ?? null;
  const own = kind === "commented" && actor_id === userId;
  return { id, at: at.toISOString(), kind, text, until, by, own, runId: run_id, apiId: api_id };
}
