import { sql } from "kysely";
import { findRun, toSource } from "./run-list.ts";
import { matchSource, recentRuns } from "./same-source.ts";
import { parseSurroundings } from "./surroundings.ts";
import { type ExecutionDatabase, type RunRow, table } from "./tables.ts";

/**
 * Whole runs of the same source that ended before a run started, newest first; for a repetition, the repeated run comes
 * first.
 */
export async function listEarlierRuns(db: ExecutionDatabase, run: RunRow, max: number): Promise<RunRow[]> {
  if (max <= 0) return [];
  if (run.source_kind === "rerun") {
    const repeated = await findRun(db, run.organization_id, run.rerun_of!);
    return repeated ? [repeated, ...(await listEarlierRuns(db, repeated, max - 1))] : [];
  }
  const match = matchSource(toSource(run));
  if (!match) return [];
  const { rows } = await sql<RunRow>`
    select * from (
      select * from ${table("runs")}
      where organization_id = ${run.organization_id}::uuid and id < ${run.id}::uuid and ${match.among}
      order by id desc limit ${recentRuns}
    ) recent
    where state = 'finished' and ${match.is} order by id desc`.execute(db);
  const turn = parseSurroundings(run.surroundings).places?.turn;
  // Of places that take turns, what the same one saw.
  const same =
    turn === undefined
      ? rows
      : rows.filter(({ surroundings }) => parseSurroundings(surroundings).places?.turn === turn);
  return same.slice(0, max);
}
