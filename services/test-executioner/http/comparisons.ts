import { pageFrom } from "../../kit/database/keyset.ts";
import { notFound } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { BodyComparison, ComparedMember } from "../contract/comparisons.ts";
import type { testExecutionerContract } from "../contract/contract.ts";
import { listChanges } from "../domain/comparison/changes.ts";
import { compareBodies } from "../domain/comparison/compare-bodies.ts";
import {
  type ComparedRow,
  countChanges,
  listComparedMembers,
  listSameInRuns,
  loadSmallDetails,
} from "../store/compared-members.ts";
import { parseAttempts } from "../store/details.ts";
import { listEarlierRuns } from "../store/earlier-runs.ts";
import { readPosition } from "../store/members.ts";
import { findRun } from "../store/run-list.ts";
import type { ExecutionDatabase, RunRow } from "../store/tables.ts";

/** The run before, and those from which it is learnt what always differs. */
const mostEarlier = 5;
/** Bodies in memory at once are those of so many members. */
const membersAtOnce = 25;

export function createComparisonHandlers(
  db: ExecutionDatabase,
): Pick<Handlers<typeof testExecutionerContract>, "compareRun"> {
  /** Bodies of the last attempts, by execution; without those that are no text, or large. */
  async function readBodies(organizationId: string, executionIds: string[]): Promise<Map<string, string>> {
    const details = await loadSmallDetails(db, organizationId, executionIds);
    return new Map(
      [...details].flatMap(([id, stored]) => {
        const body = parseAttempts(stored).at(-1)?.response?.body;
        return body === null || body === undefined ? [] : [[id, body]];
      }),
    );
  }

  async function compareSome(
    rows: ComparedRow[],
    organizationId: string,
    earlier: RunRow[],
  ): Promise<Map<string, BodyComparison | null>> {
    const ids = rows.flatMap(({ id, before }) => (before ? [id, before.id] : []));
    const bodies = await readBodies(organizationId, ids);
    const answerOf = ({ id, status_code: status }: Pick<ComparedRow, "id" | "status_code">) => {
      const body = bodies.get(id);
      return body === undefined ? undefined : { status, body };
    };
    const pairs = rows.flatMap((row) => {
      const before = row.before && answerOf(row.before);
      const after = answerOf(row);
      return before && after && before.body !== after.body ? [{ row, before, after }] : [];
    });
    const same = await listSameInRuns(
      db,
      earlier,
      pairs.map(({ row }) => row),
    );
    const earlierBodies = await readBodies(
      organizationId,
      same.map(({ executionId }) => executionId),
    );
    return new Map(
      pairs.map(({ row, before, after }) => {
        const known = same.flatMap(({ memberId, executionId, statusCode: status }) => {
          const body = memberId === row.id ? earlierBodies.get(executionId) : undefined;
          return body === undefined ? [] : [{ status, body }];
        });
        return [row.id, compareBodies(before, after, known)];
      }),
    );
  }

  return {
    async compareRun({ caller: { organizationId }, params, query }) {
      const run = await findRun(db, organizationId, params.runId);
      if (!run) throw notFound("run");
      const [before, ...earlier] = await listEarlierRuns(db, run, mostEarlier);
      if (!before) return { before: null, items: [], nextCursor: null };
      const after = query.cursor ? readPosition(query.cursor) : 0;
      const rows = await listComparedMembers(db, run, before, { after, limit: query.limit + 1 });
      const page = pageFrom(
        rows,
        query.limit,
        (row) => [row.position],
        (row) => row,
      );
      const bodies = new Map<string, BodyComparison | null>();
      for (let from = 0; from < page.items.length; from += membersAtOnce) {
        const some = page.items.slice(from, from + membersAtOnce);
        for (const [id, body] of await compareSome(some, organizationId, earlier)) bodies.set(id, body);
      }
      return {
        before: {
          runId: before.id,
          verdict: before.verdict,
          queuedAt: before.queued_at.toISOString(),
          finishedAt: before.finished_at?.toISOString() ?? null,
        },
        items: page.items.map((row) => shown(row, bodies.get(row.id) ?? null)),
        nextCursor: page.nextCursor,
        ...(after === 0 ? { counts: await countChanges(db, run, before) } : {}),
      };
    },
  };
}

function outcomeOf(row: Pick<ComparedRow, "id" | "position" | "verdict" | "status_code" | "response_milliseconds">) {
  return {
    executionId: row.id,
    position: row.position,
    verdict: row.verdict,
    statusCode: row.status_code,
    responseMilliseconds: row.response_milliseconds,
  };
}

function shown(row: ComparedRow, body: BodyComparison | null): ComparedMember {
  const outcome = outcomeOf(row);
  const before = row.before && outcomeOf(row.before);
  return {
    ...outcome,
    phase: row.phase,
    testId: row.test_id,
    testName: row.test_name,
    ...(row.row_index === null ? {} : { row: row.row_index + 1 }),
    before,
    changes: before ? listChanges(before, outcome, body) : [],
    body,
  };
}
