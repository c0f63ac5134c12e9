import { sql } from "kysely";
import type { RunPlace } from "#contracts/test-executioner/run-places.ts";
import type { ExecutionVerdict } from "#contracts/test-executioner/verdicts.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { PlaceId } from "../domain/places/judged-places.ts";
import { failureVerdicts, worstVerdict } from "../domain/verdict.ts";
import { ofRun } from "./members.ts";
import { portalPlaceName } from "./place-counts.ts";
import { type ExecutionTables, table } from "./tables.ts";

interface Row extends Pick<RunPlace, "executions" | "failed" | "p50" | "p95"> {
  location_id: PlaceId;
  name: string | null;
  verdicts: ExecutionVerdict[];
}

/** What each of the places of a run saw, those without a result included. */
export async function listPlaceResults(
  db: Executor<ExecutionTables>,
  { organizationId, runId }: { organizationId: string; runId: string },
  placeIds: readonly PlaceId[],
): Promise<RunPlace[]> {
  const percentile = (share: number) =>
    sql`percentile_cont(${sql.lit(share)}) within group (order by response_milliseconds)`;
  const [{ rows }, locations] = await Promise.all([
    sql<Row>`
      select location_id, count(*)::int as executions, array_agg(distinct verdict) as verdicts,
        (count(*) filter (where verdict = any(${failureVerdicts}::text[])))::int as failed,
        ${percentile(0.5)} as p50, ${percentile(0.95)} as p95
      from ${table("executions")} where ${ofRun(organizationId, runId)} and verdict is not null
      group by location_id`.execute(db),
    db.selectFrom("locations").select(["id", "name"]).where("organization_id", "=", organizationId).execute(),
  ]);
  // A test may name a location that is not among the circle's places.
  const ids = [...new Set([...placeIds, ...rows.map(({ location_id }) => location_id)])];
  return ids.map((locationId) => {
    const {
      executions = 0,
      failed = 0,
      verdicts = [],
      p50 = null,
      p95 = null,
    } = rows.find(({ location_id }) => location_id === locationId) ?? {};
    const name = locationId === null ? portalPlaceName : (locations.find(({ id }) => id === locationId)?.name ?? null);
    const verdict = worstVerdict(verdicts) as ExecutionVerdict | null;
    return { locationId, name, executions, failed, verdict, p50, p95 };
  });
}
