import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { acknowledgeIncident, IncidentSummary } from "#contracts/test-analyzer/incidents.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Call, Handlers } from "../../kit/service/service.ts";
import { getSilenceReason, listScopes } from "../domain/incident/rule-in-force.ts";
import type { Alerting } from "../jobs/alerting.ts";
import type { FindRecoveries } from "../jobs/recoveries.ts";
import { findChannels } from "../store/alert-channels.ts";
import { hastenDeferred } from "../store/alert-deliveries.ts";
import { listAllRules } from "../store/alert-rules.ts";
import {
  type IncidentAction,
  insertEntries,
  type NewEntry,
  takeTurn,
  updateIncident,
} from "../store/incident-changes.ts";
import { endReminders, listChannelsByIncident } from "../store/incident-channels.ts";
import { findFirstRun } from "../store/incident-entries.ts";
import {
  countIncidents,
  findIncident,
  type IncidentRow,
  type IncidentTestRow,
  type ListedIncident,
  listEntries,
  listIncidents,
  listIncidentTests,
} from "../store/incidents.ts";
import type { AnalyzerDatabase, AnalyzerTransaction } from "../store/tables.ts";
import { releaseTests } from "../store/watched-tests.ts";
import { getState, toChannel, toEntry, toIncidentSummary, toTest } from "./incident-responses.ts";

type IncidentHandlers = Pick<
  Handlers<typeof testAnalyzerContract>,
  | "listIncidents"
  | "getIncident"
  | "listIncidentEntries"
  | "acknowledgeIncident"
  | "muteIncident"
  | "unmuteIncident"
  | "resolveIncident"
>;

const maxTests = 200;
const longestMuteMilliseconds = 30 * 24 * 60 * 60 * 1_000;

/** An action of a user on an incident, and its timeline entry. */
interface Act {
  changes: IncidentAction;
  entry: Pick<NewEntry, "kind" | "text" | "until">;
  /** Side effects of the action. */
  follow?: (transaction: AnalyzerTransaction) => Promise<void>;
}

/** Creates the handlers for incidents and for the actions of users on them. */
export function createIncidentHandlers({
  db,
  clock,
  alerting,
  findRecoveries,
}: {
  db: AnalyzerDatabase;
  clock: Clock;
  alerting: Alerting;
  findRecoveries: FindRecoveries;
}): IncidentHandlers {
  async function require({ organizationId }: Identity, incidentId: string): Promise<ListedIncident> {
    const row = await findIncident(db, organizationId, incidentId);
    if (!row) throw notFound("incident");
    return row;
  }

  async function explainSilence({ organization_id: organizationId, cause }: IncidentRow, tests: IncidentTestRow[]) {
    const rules = await listAllRules(db, organizationId);
    const channelIds = [...new Set(rules.flatMap((rule) => rule.channelIds))];
    const enabled = (await findChannels(db, organizationId, channelIds)).filter((channel) => channel.enabled);
    const scopes = [...listScopes(cause), ...tests.map(({ described }) => described)];
    return getSilenceReason(rules, scopes, new Set(enabled.map(({ id }) => id)));
  }

  /** @param decide the change for the current row; undefined when it is already done */
  async function act(
    {
      caller,
      params: { incidentId },
      record,
      requestId,
    }: Pick<Call<typeof acknowledgeIncident>, "caller" | "params" | "record" | "requestId">,
    decide: (incident: IncidentRow, now: Date, by: { id: string; name: string }) => Act | undefined,
  ): Promise<IncidentSummary> {
    const { organizationId } = caller;
    const by = { id: caller.userId, name: caller.name };
    const now = clock.now();
    await db.transaction().execute(async (transaction) => {
      await takeTurn(transaction, organizationId);
      const before = await findIncident(transaction, organizationId, incidentId);
      if (!before) throw notFound("incident");
      if (before.resolved_at) throw new Problem("conflict", "This incident is resolved.");
      const act = decide(before, now, by);
      if (!act) return await record(transaction);
      await updateIncident(transaction, { organizationId, incidentId }, act.changes);
      await insertEntries(transaction, [{ organizationId, incidentId, at: now, by, ...act.entry }]);
      await act.follow?.(transaction);
      const after = { ...before, ...act.changes };
      await record(transaction, { id: incidentId, before: audited(before, now), after: audited(after, now) });
    });
    const row = await require(caller, incidentId);
    return toIncidentSummary(row, now, await findRecoveries(caller, { incidentIds: [incidentId] }, requestId));
  }

  return {
    async listIncidents({ caller, query: { limit, cursor, ...query }, requestId }) {
      const { organizationId } = caller;
      const now = clock.now();
      const before = cursor && readIdCursor(cursor);
      const { sort, ...filters } = query;
      const filter = { ...filters, now };
      const rows = await listIncidents(db, organizationId, { ...filter, sort, before, limit });
      const open = rows.filter(({ resolved_at }) => resolved_at === null);
      const recoveries = await findRecoveries(caller, { incidentIds: open.map(({ id }) => id) }, requestId);
      const page = pageFrom(
        rows,
        limit,
        ({ id }) => [id],
        (row) => toIncidentSummary(row, now, recoveries),
      );
      if (query.state === undefined || query.state === "resolved") return page;
      return { ...page, total: await countIncidents(db, organizationId, filter) };
    },

    async getIncident({ caller, params: { incidentId }, requestId }) {
      const { organizationId } = caller;
      const row = await require(caller, incidentId);
      const [firstRun, tests, channels, recoveries] = await Promise.all([
        findFirstRun(db, { organizationId, incidentId }),
        listIncidentTests(db, organizationId, incidentId, maxTests),
        listChannelsByIncident(db, { organizationId, incidentId }),
        findRecoveries(caller, { incidentIds: [incidentId] }, requestId),
      ]);
      return {
        ...toIncidentSummary(row, clock.now(), recoveries),
        firstRun,
        tests: tests.map((test) => toTest(test, recoveries)),
        notified: channels.map(toChannel),
        notNotified: channels.length > 0 ? null : await explainSilence(row, tests),
      };
    },

    async listIncidentEntries({ caller, params: { incidentId }, query: { limit, cursor } }) {
      await require(caller, incidentId);
      const of = { organizationId: caller.organizationId, incidentId };
      const rows = await listEntries(db, of, { before: cursor && readIdCursor(cursor), limit });
      return pageFrom(
        rows,
        limit,
        ({ id }) => [id],
        (row) => toEntry(row, caller.userId),
      );
    },

    acknowledgeIncident: (call) =>
      act(call, (incident, now, by) =>
        incident.acknowledged_at
          ? undefined
          : {
              changes: { acknowledged_at: now, acknowledged_by: by.id, acknowledged_name: by.name },
              entry: { kind: "acknowledged", text: "It has been acknowledged." },
              follow: (transaction) => endReminders(transaction, [incident.id]),
            },
      ),

    muteIncident: (call) =>
      act(call, (_, now) => {
        const until = new Date(call.body.until);
        const milliseconds = until.getTime() - now.getTime();
        if (milliseconds <= 0 || milliseconds > longestMuteMilliseconds) {
          const message = "Choose a moment within the next 30 days";
          throw new Problem("invalid_input", undefined, { errors: [{ path: "until", message }] });
        }
        return { changes: { muted_until: until }, entry: { kind: "muted", text: "Muted.", until } };
      }),

    unmuteIncident: (call) =>
      act(call, (incident, now) =>
        incident.muted_until && incident.muted_until > now
          ? {
              changes: { muted_until: null },
              entry: { kind: "unmuted", text: "No longer muted." },
              follow: (transaction) => hastenDeferred(transaction, incident.id, now),
            }
          : undefined,
      ),

    resolveIncident: (call) =>
      act(call, ({ id, organization_id }, now, by) => ({
        changes: { resolved_at: now, resolved_by: by.id, resolved_name: by.name },
        entry: { kind: "resolved", text: "Resolved manually." },
        async follow(transaction) {
          await releaseTests(transaction, id, now);
          await alerting.notifyResolved(transaction, organization_id, [id], `Resolved by ${by.name}: `);
        },
      })),
  };
}

function audited(row: IncidentRow, now: Date) {
  return { title: row.title, state: getState(row, now), mutedUntil: row.muted_until };
}
