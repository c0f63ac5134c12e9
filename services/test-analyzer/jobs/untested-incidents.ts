import { uuidv7 } from "uuidv7";
import { alertPolicy } from "#contracts/test-analyzer/alert-rules.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { getSeverity, graver, ruleInForce } from "../domain/incident/rule-in-force.ts";
import { listAllRules } from "../store/alert-rules.ts";
import { findMutes, insertEntries, updateIncident } from "../store/incident-changes.ts";
import type { AnalyzerTransaction } from "../store/tables.ts";
import { insertUntestedIncident, type UntestedIncident } from "../store/untested-incidents.ts";
import type { Alerting } from "./alerting.ts";

type Opened = Pick<UntestedIncident, "fingerprint" | "cause" | "title" | "reason" | "since" | "apiId">;

export type UntestedIncidents = ReturnType<typeof createUntestedIncidents>;

/** Opens and resolves incidents that no test has failed for, with their alerts. */
export function createUntestedIncidents({ clock, alerting }: { clock: Clock; alerting: Alerting }) {
  return {
    /** @param scopes what it is about: their rules say who is alerted, and how severe it is */
    async open(
      transaction: AnalyzerTransaction,
      organizationId: string,
      opened: Opened,
      scopes: readonly { testCircleId: string | null; apiId: string }[],
    ): Promise<void> {
      const now = clock.now();
      const { fingerprint, reason, apiId } = opened;
      const rules = await listAllRules(transaction, organizationId);
      const inForce = [...new Set(scopes.flatMap((scope) => ruleInForce(rules, scope) ?? []))];
      const policies = inForce.length > 0 ? inForce.map(({ policy }) => policy) : [alertPolicy.parse({})];
      const severity = policies.map((policy) => getSeverity(policy, [])).reduce(graver);
      const mutedUntil = (await findMutes(transaction, organizationId, [fingerprint], now)).get(fingerprint) ?? null;
      const id = uuidv7();
      const incident = { id, organizationId, ...opened, severity, openedAt: now, mutedUntil };
      await insertUntestedIncident(transaction, incident);
      const entry = { organizationId, incidentId: id, at: now, kind: "opened" as const };
      await insertEntries(transaction, [{ ...entry, text: reason, apiId }]);
      await alerting.notifyOpened(
        transaction,
        organizationId,
        policies.map((policy, index) => ({
          ...{ incidentId: id, severity, mutedUntil, policy },
          channelIds: inForce[index]?.channelIds ?? [],
        })),
      );
    },

    async resolve(
      transaction: AnalyzerTransaction,
      organizationId: string,
      incidentIds: string[],
      { ending, by }: { ending: string; by: { id: string; name: string } | null },
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
      const beginning = by ? `Resolved by ${by.name}: ` : undefined;
      await alerting.notifyResolved(transaction, organizationId, incidentIds, beginning);
    },
  };
}
