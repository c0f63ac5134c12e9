import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { ComparedMember, MissingMember } from "#contracts/test-executioner/comparisons.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { encodeCursor, readPositionCursor } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { listChanges } from "../domain/comparison/changes.ts";
import {
  type ComparedRow,
  countChanges,
  listComparedMembers,
  listMissing,
  listPassedBefore,
  type SameMember,
} from "../store/compared-members.ts";
import { listEarlierRuns } from "../store/earlier-runs.ts";
import { findRun } from "../store/run-list.ts";
import type { ExecutionDatabase, ExecutionRow, RunRow } from "../store/tables.ts";
import { createBodyComparer } from "./compared-bodies.ts";

/** Maximum runs used to learn which members always differ. */
const maxEarlier = 20;
/** Maximum members whose bodies are in memory at the same time. */
const membersAtOnce = 10;
/** Maximum per call, however few of them changed. */
const maxExamined = 200;
const maxMissing = 50;

type ComparisonHandlers = Pick<Handlers<typeof testExecutionerContract>, "compareRun">;

export function createComparisonHandlers(db: ExecutionDatabase): ComparisonHandlers {
  const getCompareBodies = createBodyComparer(db);

  async function requireRun(organizationId: string, runId: string): Promise<RunRow> {
    const run = await findRun(db, organizationId, runId);
    if (!run) throw notFound("run");
    return run;
  }

  async function requireEnded(organizationId: string, runId: string): Promise<RunRow> {
    const run = await requireRun(organizationId, runId);
    if (!run.finished_at) throw new Problem("conflict", "The run to compare with is still in progress.");
    return run;
  }

  async function compareSome(rows: ComparedRow[], passed: SameMember[]): Promise<ComparedMember[]> {
    const bodies = await getCompareBodies(rows, passed);
    return rows.map((row) => {
      const before = row.before && getOutcome(row.before);
      const body = bodies.get(row.id) ?? null;
      return {
        ...getMember(row),
        before,
        changes: before ? listChanges(before, getOutcome(row), body) : [],
        body,
      };
    });
  }

  return {
    async compareRun({ caller: { organizationId }, params, query }) {
      const run = await requireRun(organizationId, params.runId);
      const earlier = await listEarlierRuns(db, run, maxEarlier);
      const before = query.before ? await requireEnded(organizationId, query.before) : earlier[0];
      if (!before) return { before: null, items: [], nextCursor: null };
      const after = query.cursor ? readPositionCursor(query.cursor) : 0;
      const maxRows = query.only ? maxExamined : query.limit;
      const rows = await listComparedMembers(db, run, before, { after, limit: maxRows + 1 });
      const looked = rows.slice(0, maxRows);
      const passed = await listPassedBefore(db, earlier, looked);
      const items: ComparedMember[] = [];
      let seen = 0;
      while (seen < looked.length && items.length < query.limit) {
        const some = looked.slice(seen, seen + membersAtOnce);
        for (const member of await compareSome(some, passed)) {
          if (items.length === query.limit) break;
          seen += 1;
          if (!query.only || !member.before || member.changes.length > 0) items.push(member);
        }
      }
      const hasMore = seen < rows.length;
      return {
        before: {
          runId: before.id,
          verdict: before.verdict,
          queuedAt: before.queued_at.toISOString(),
          finishedAt: before.finished_at?.toISOString() ?? null,
        },
        items,
        nextCursor: hasMore ? encodeCursor([looked[seen - 1]!.position]) : null,
        ...(after === 0
          ? {
              counts: await countChanges(db, run, before),
              gone: (await listMissing(db, run, before, maxMissing)).map(getMember),
            }
          : {}),
      };
    },
  };
}

function getOutcome(row: Pick<ComparedRow, "id" | "position" | "verdict" | "status_code" | "response_milliseconds">) {
  return {
    executionId: row.id,
    position: row.position,
    verdict: row.verdict,
    statusCode: row.status_code,
    responseMilliseconds: row.response_milliseconds,
  };
}

function getMember(row: ExecutionRow): MissingMember {
  return {
    ...getOutcome(row),
    phase: row.phase,
    testId: row.test_id,
    apiId: row.api_id,
    testName: row.test_name,
    ...(row.row_index === null ? {} : { row: row.row_index + 1 }),
  };
}
