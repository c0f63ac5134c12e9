import { sql } from "kysely";
import type { PlaceStanding } from "#contracts/test-executioner/counts.ts";
import type { ExecutionVerdict } from "#contracts/test-executioner/verdicts.ts";
import type { Executor } from "../../kit/database/database.ts";
import { getPlaceState, type PlaceId } from "../domain/places/judged-places.ts";
import { worstVerdict } from "../domain/verdict.ts";
import { type ExecutionTables, table } from "./tables.ts";

const maxRuns = 20;
/** Of these runs together: a circle with many members is looked back at for fewer of them. */
const maxExecutions = 20_000;

interface EndedRun {
  id: string;
  finished_at: Date;
}

/** @returns what a place saw in the last run of a circle with a result from there; null if it was in none of its last runs */
export async function findPlaceStandings(
  db: Executor<ExecutionTables>,
  { organizationId, testCircleId }: { organizationId: string; testCircleId: string },
): Promise<(placeId: PlaceId) => PlaceStanding | null> {
  const { rows: runs } = await sql<EndedRun>`
    select id, finished_at from (
      select id, finished_at, sum(executions) over (order by id desc) as so_far, executions from ${table("runs")}
      where organization_id = ${organizationId}::uuid and test_circle_id = ${testCircleId}::uuid
        and source_kind = 'circle' and finished_at is not null
      order by id desc limit ${maxRuns}
    ) newest where so_far - executions < ${maxExecutions} order by id desc`.execute(db);
  if (runs.length === 0) return () => null;
  const { rows } = await sql<{ run_id: string; location_id: PlaceId; verdicts: ExecutionVerdict[] }>`
    select run_id, location_id, array_agg(distinct verdict) as verdicts from ${table("executions")}
    where organization_id = ${organizationId}::uuid and run_id = any(${runs.map(({ id }) => id)}::uuid[])
      and verdict is not null
    group by run_id, location_id`.execute(db);
  return (placeId) => {
    const results = runs.flatMap(({ id, finished_at }) => {
      const found = rows.find((row) => row.run_id === id && row.location_id === placeId);
      const verdict = worstVerdict(found?.verdicts ?? []) as ExecutionVerdict | null;
      const state = getPlaceState({ verdict });
      return verdict === null || state === "notRun" ? [] : [{ verdict, state, at: finished_at.toISOString() }];
    });
    const [last] = results;
    if (!last) return null;
    const changed = results.findIndex(({ state }) => state !== last.state);
    const since = changed < 0 ? null : results[changed - 1]!.at;
    return { verdict: last.verdict, at: last.at, since };
  };
}
