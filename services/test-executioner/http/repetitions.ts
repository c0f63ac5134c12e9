import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { chooseFailed, chooseFrom } from "../domain/members.ts";
import { getPositionInSeries } from "../domain/places/judged-places.ts";
import { worstVerdict } from "../domain/verdict.ts";
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
  const size = run.series_size ?? all.length;
  // Of several places: a member is repeated from all of them, and has failed if it did from one.
  const earlier = all.slice(0, size).map((row, index) => ({
    ...{ ...row, testId: row.test_id, rowIndex: row.row_index },
    verdict: worstVerdict(all.filter((_, other) => other % size === index).map(({ verdict }) => verdict)),
    effect: effects[row.position],
  }));
  const first = from === undefined ? undefined : getPositionInSeries(from, run.series_size);
  return { run, chosen: first === undefined ? chooseFailed(earlier) : chooseFrom(earlier, first) };
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
