import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { readIdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { deleteEntry, findEntry, insertEntryRow } from "../store/incident-entries.ts";
import { type EntryRow, findIncident } from "../store/incidents.ts";
import { type AnalyzerDatabase, keyTable } from "../store/tables.ts";
import { toEntry } from "./incident-responses.ts";

type CommentHandlers = Pick<Handlers<typeof testAnalyzerContract>, "createIncidentComment" | "deleteIncidentComment">;

const audited = ({ incident_id: incidentId, text }: EntryRow) => ({ incidentId, text });

/** Creates the handlers for comments of users on incidents, which are entries of their timelines. */
export function createIncidentCommentHandlers({ db, clock }: { db: AnalyzerDatabase; clock: Clock }): CommentHandlers {
  return {
    async createIncidentComment({ caller, params: { incidentId }, body, request, record }) {
      const { organizationId } = caller;
      const key = readIdempotencyKey(request, body);
      const now = clock.now();
      const row: EntryRow = {
        ...{ id: uuidv7(), organization_id: organizationId, incident_id: incidentId, at: now, kind: "commented" },
        ...{ text: body.text, actor_id: caller.userId, actor_name: caller.name },
        ...{ lasts_until: null, run_id: null, api_id: null },
      };
      const created = await db.transaction().execute(async (transaction) => {
        if (!(await findIncident(transaction, organizationId, incidentId))) throw notFound("incident");
        const first = key && (await reserveKey(transaction, keyTable, { ...key, organizationId, makes: row.id, now }));
        if (first) {
          await record(transaction);
          return first;
        }
        await insertEntryRow(transaction, row);
        await record(transaction, { id: row.id, after: audited(row) });
        return row.id;
      });
      const entry = await findEntry(db, { organizationId, incidentId, entryId: created });
      if (!entry) throw new Problem("conflict", "The comment created with this Idempotency-Key was deleted.");
      return toEntry(entry, caller.userId);
    },

    async deleteIncidentComment({ caller, params: { incidentId, commentId }, record }) {
      const { organizationId, userId } = caller;
      await db.transaction().execute(async (transaction) => {
        const of = { organizationId, incidentId, entryId: commentId };
        const row = await findEntry(transaction, of);
        if (row?.kind !== "commented") throw notFound("comment");
        if (row.actor_id !== userId) throw new Problem("forbidden", "This is another user's comment.");
        await deleteEntry(transaction, of);
        await record(transaction, { id: commentId, before: audited(row) });
      });
      return undefined;
    },
  };
}
