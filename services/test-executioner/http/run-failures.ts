import { notFound } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { pageFrom, readPositionCursor } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { isFailure, verdictRanking } from "../domain/verdict.ts";
import { listMembers, toMember } from "../store/members.ts";
import { findRun } from "../store/run-list.ts";
import { listEachSameBefore } from "../store/same-before.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

type FailureHandlers = Pick<Handlers<typeof testExecutionerContract>, "listRunFailures">;

export function createRunFailureHandlers(db: ExecutionDatabase): FailureHandlers {
  return {
    async listRunFailures({ caller: { organizationId }, params: { runId }, query: { cursor, limit } }) {
      const run = await findRun(db, organizationId, runId);
      if (!run) throw notFound("run");
      const rows = await listMembers(
        db,
        { organizationId, runId },
        {
          after: cursor ? readPositionCursor(cursor) : 0,
          verdicts: verdictRanking.filter(isFailure),
          limit: limit + 1,
        },
      );
      const before = await listEachSameBefore(db, run, rows);
      return pageFrom(
        rows,
        limit,
        (row) => [row.position],
        (row) => {
          const { items, isWhole } = before.get(row.id)!;
          const passed = items.findIndex(({ verdict }) => !isFailure(verdict));
          return {
            ...toMember(row, run),
            failures: (passed < 0 ? items.length : passed) + 1,
            isWhole: isWhole || passed >= 0,
          };
        },
      );
    },
  };
}
