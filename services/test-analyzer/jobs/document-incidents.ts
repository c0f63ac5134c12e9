import type { z } from "@hono/zod-openapi";
import { uuidv7 } from "uuidv7";
import type { documentWatched } from "#contracts/api-registry/events.ts";
import { alertPolicy } from "#contracts/test-analyzer/alert-rules.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { getSeverity, ruleInForce } from "../domain/incident/rule-in-force.ts";
import { listAllRules } from "../store/alert-rules.ts";
import {
  type DocumentProblem,
  documentProblems,
  getFingerprint,
  insertDocumentIncident,
  listOpenDocumentIncidents,
  updateReason,
} from "../store/document-incidents.ts";
import { findMutes, insertEntries, takeTurn, updateIncident } from "../store/incident-changes.ts";
import type { AnalyzerTransaction } from "../store/tables.ts";
import type { Alerting } from "./alerting.ts";

type Watched = z.infer<typeof documentWatched>;

const titles: Record<DocumentProblem, (name: string) => string> = {
  changed: (name) => `The document of ${name} changed`,
  unavailable: (name) => `The document of ${name} can't be read`,
};

export type DocumentIncidents = ReturnType<typeof createDocumentIncidents>;

/** Opens and resolves the incidents of watched documents. */
export function createDocumentIncidents({ clock, alerting }: { clock: Clock; alerting: Alerting }) {
  async function open(
    transaction: AnalyzerTransaction,
    { organizationId, payload: { apiId, apiName } }: Watched,
    problem: DocumentProblem,
    { reason, since }: { reason: string; since: string },
  ): Promise<void> {
    const now = clock.now();
    const rule = ruleInForce(await listAllRules(transaction, organizationId), { testCircleId: null, apiId });
    const policy = rule?.policy ?? alertPolicy.parse({});
    const fingerprint = getFingerprint(apiId, problem);
    const mutedUntil = (await findMutes(transaction, organizationId, [fingerprint], now)).get(fingerprint) ?? null;
    const severity = getSeverity(policy, []);
    const id = uuidv7();
    await insertDocumentIncident(transaction, {
      ...{ id, organizationId, cause: { kind: "document", apiId, problem }, title: titles[problem](apiName) },
      ...{ reason, severity, since: new Date(since), openedAt: now, mutedUntil },
    });
    await insertEntries(transaction, [
      { organizationId, incidentId: id, at: now, kind: "opened", text: reason, apiId },
    ]);
    await alerting.notifyOpened(transaction, organizationId, [
      { incidentId: id, severity, mutedUntil, policy, channelIds: rule?.channelIds ?? [] },
    ]);
  }

  async function resolve(
    transaction: AnalyzerTransaction,
    organizationId: string,
    incidentIds: string[],
    { ending, by }: Pick<Watched["payload"], "ending" | "by">,
  ): Promise<void> {
    const now = clock.now();
    for (const incidentId of incidentIds) {
      await updateIncident(
        transaction,
        { organizationId, incidentId },
        { resolved_at: now, resolved_by: by?.id ?? null, resolved_name: by?.name ?? null },
      );
      const entry = { organizationId, incidentId, at: now, kind: "resolved" as const, text: ending };
      await insertEntries(transaction, [{ ...entry, ...(by ? { by } : {}) }]);
    }
    await alerting.notifyResolved(
      transaction,
      organizationId,
      incidentIds,
      by ? `Resolved by ${by.name}: ` : undefined,
    );
  }

  return {
    /** Brings the incidents of a document in line with its watch. */
    async hear(transaction: AnalyzerTransaction, event: Watched): Promise<void> {
      const { organizationId, payload } = event;
      await takeTurn(transaction, organizationId);
      const known = await listOpenDocumentIncidents(transaction, organizationId, payload.apiId);
      const ended: string[] = [];
      for (const problem of documentProblems) {
        const incident = known.find(({ fingerprint }) => fingerprint === getFingerprint(payload.apiId, problem));
        const now = payload[problem];
        if (now && !incident) await open(transaction, event, problem, now);
        else if (incident && !now) ended.push(incident.id);
        else if (incident && now && incident.reason !== now.reason) {
          await updateReason(transaction, incident.id, now.reason);
          const entry = { organizationId, incidentId: incident.id, at: clock.now(), kind: "renewed" as const };
          await insertEntries(transaction, [{ ...entry, text: now.reason, apiId: payload.apiId }]);
        }
      }
      await resolve(transaction, organizationId, ended, payload);
    },

    /** Of a deleted API. */
    async forget(transaction: AnalyzerTransaction, organizationId: string, apiId: string): Promise<void> {
      const open = await listOpenDocumentIncidents(transaction, organizationId, apiId);
      const ending = "The API was deleted.";
      await resolve(
        transaction,
        organizationId,
        open.map(({ id }) => id),
        { ending, by: null },
      );
    },
  };
}
