import { uuidv7 } from "uuidv7";
import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { Mark } from "#contracts/test-analyzer/marks.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom, readMomentCursor } from "../../kit/database/keyset.ts";
import { readIdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import { type ResourceFinders, requireFiltered } from "../../kit/service/resource-filters.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { deleteMark, findMark, insertMark, listMarks, type MarkRow } from "../store/marks.ts";
import { type AnalyzerDatabase, keyTable } from "../store/tables.ts";
import { requireFromService } from "./service-result.ts";

type MarkHandlers = Pick<Handlers<typeof testAnalyzerContract>, "listMarks" | "createMark" | "getMark" | "deleteMark">;

/** Clocks of other machines are seconds off, not hours. */
const toleratedMilliseconds = 5 * 60 * 1_000;

export function toMark({ id, kind, name, at, url, ...row }: MarkRow): Mark {
  return {
    ...{ id, kind, name, at: at.toISOString(), url },
    ...{ apiId: row.api_id, apiName: row.api_name, testId: row.test_id, createdBy: row.created_by },
  };
}

const audited = ({ kind, name, at, api_id, url }: MarkRow) => ({ kind, name, at, apiId: api_id, url });

/** Creates the handlers for marks: deployments that clients report, and changes that the portal observed. */
export function createMarkHandlers(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  apiRegistry: Connect<typeof apiRegistryContract>;
  finders: ResourceFinders;
}): MarkHandlers {
  const { db, clock, apiRegistry, finders } = parts;
  return {
    async listMarks({ caller: { organizationId }, query: { cursor, limit, ...filter }, requestId }) {
      const before = cursor === undefined ? undefined : readMomentCursor(cursor);
      const rows = await listMarks(db, { organizationId, ...filter, before, limit: limit + 1 });
      // Marks that concern all APIs prove none of them.
      const isProven = rows.some((row) => row.api_id !== null);
      if (!isProven) await requireFiltered(finders, { organizationId, requestId, operation: "listMarks" }, filter);
      return pageFrom(rows, limit, ({ at, id }) => [at.toISOString(), id], toMark);
    },

    async createMark({ caller, body, request, requestId, record }) {
      const { organizationId } = caller;
      const key = readIdempotencyKey(request, body);
      const now = clock.now();
      const at = body.at === undefined ? now : new Date(body.at);
      if (at.getTime() > now.getTime() + toleratedMilliseconds) {
        throw new Problem("invalid_input", undefined, { errors: [{ path: "at", message: "This is in the future" }] });
      }
      const { apiId } = body;
      const api =
        apiId &&
        requireFromService(await apiRegistry({ token: caller.token, requestId }).summarizeApi({ params: { apiId } }));
      const row: MarkRow = {
        id: uuidv7(),
        organization_id: organizationId,
        kind: "deployment",
        name: body.name,
        at,
        api_id: api ? api.id : null,
        api_name: api ? api.name : null,
        test_id: null,
        url: body.url ?? null,
        created_by: caller.name,
      };
      const earlier = await db.transaction().execute(async (transaction) => {
        const first = key && (await reserveKey(transaction, keyTable, { ...key, organizationId, makes: row.id, now }));
        if (first) {
          await record(transaction);
          return first;
        }
        await insertMark(transaction, row);
        await record(transaction, { id: row.id, after: audited(row) });
        return undefined;
      });
      if (!earlier) return toMark(row);
      const made = await findMark(db, organizationId, earlier);
      if (!made) throw new Problem("conflict", "The mark created with this Idempotency-Key was deleted.");
      return toMark(made);
    },

    async getMark({ caller, params }) {
      const row = await findMark(db, caller.organizationId, params.markId);
      if (!row) throw notFound("mark");
      return toMark(row);
    },

    async deleteMark({ caller, params, record }) {
      await db.transaction().execute(async (transaction) => {
        const row = await deleteMark(transaction, caller.organizationId, params.markId);
        if (!row) throw notFound("mark");
        await record(transaction, { id: row.id, before: audited(row) });
      });
      return undefined;
    },
  };
}
