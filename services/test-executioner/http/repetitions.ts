import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { chooseFailed, chooseFrom } from "../domain/members.ts";
import { listMembers } from "../store/members.ts";
import { findRun } from "../store/run-list.ts";
import { parseSurroundings } from "../store/surroundings.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { maxExecutions } from "./resolved-source.ts";

/**
 * Members of a run that are to run again, as they were.
 * @param from position of the first; if undefined, the failed ones
 */
export async function loadRepeated(
  db: ExecutionDatabase,
  organizationId: string,
  { runId, from }: { runId: string; from?: number },
) {
  const run = await findRun(db, organizationId, runId);
  if (!run) throw notFound("run");
  if (!run.finished_at)
    throw new Problem("conflict", "This run is still in progress. Run it again when it has finished.");
  const all = await listMembers(db, { organizationId, runId }, { after: 0, limit: maxExecutions });
  const effects = parseSurroundings(run.surroundings).onlyOwn?.effects ?? {};
  const earlier = all.map((row) => ({
    ...{ ...row, testId: row.test_id, rowIndex: row.row_index },
    effect: effects[row.position],
  }));
  return { run, chosen: from === undefined ? chooseFailed(earlier) : chooseFrom(earlier, from) };
}

export function createRepetitionHandlers(
  db: ExecutionDatabase,
): Pick<Handlers<typeof testExecutionerContract>, "describeRepetition"> {
  return {
    async describeRepetition({ caller, params, query }) {
      const { chosen } = await loadRepeated(db, caller.organizationId, { ...params, ...query });
      const methods = [...new Set(chosen.map(({ method }) => method))].sort();
      return {
        executions: chosen.length,
        methods: methods.map((method) => ({
          ...{ method, safe: isSafe(method) },
          executions: chosen.filter((member) => member.method === method).length,
        })),
      };
    },
  };
}
