import type { z } from "@hono/zod-openapi";
import type { documentWatched } from "#contracts/api-registry/events.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import {
  type DocumentProblem,
  documentProblems,
  getFingerprint,
  listOpenDocumentIncidents,
} from "../store/document-incidents.ts";
import { insertEntries, takeTurn } from "../store/incident-changes.ts";
import type { AnalyzerTransaction } from "../store/tables.ts";
import { updateReason } from "../store/untested-incidents.ts";
import type { UntestedIncidents } from "./untested-incidents.ts";

type Watched = z.infer<typeof documentWatched>;

const titles: Record<DocumentProblem, (name: string) => string> = {
  changed: (name) => `The document of ${name} changed`,
  unavailable: (name) => `The document of ${name} can't be read`,
};

export type DocumentIncidents = ReturnType<typeof createDocumentIncidents>;

/** Opens and resolves the incidents of watched documents. */
export function createDocumentIncidents({ clock, incidents }: { clock: Clock; incidents: UntestedIncidents }) {
  async function open(
    transaction: AnalyzerTransaction,
    { organizationId, payload: { apiId, apiName } }: Watched,
    problem: DocumentProblem,
    { reason, since }: { reason: string; since: string },
  ): Promise<void> {
    const opened = {
      ...{ fingerprint: getFingerprint(apiId, problem), cause: { kind: "document" as const, apiId, problem } },
      ...{ title: titles[problem](apiName), reason, since: new Date(since), apiId },
    };
    await incidents.open(transaction, organizationId, opened, [{ testCircleId: null, apiId }]);
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
      await incidents.resolve(transaction, organizationId, ended, payload);
    },

    /** Of a deleted API. */
    async forget(transaction: AnalyzerTransaction, organizationId: string, apiId: string): Promise<void> {
      const open = await listOpenDocumentIncidents(transaction, organizationId, apiId);
      const ending = "The API was deleted.";
      await incidents.resolve(
        transaction,
        organizationId,
        open.map(({ id }) => id),
        { ending, by: null },
      );
    },
  };
}
