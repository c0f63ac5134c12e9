import { sql } from "kysely";
import type { Failure } from "#contracts/test-executioner/histories.ts";
import type { Executor } from "../../kit/database/database.ts";
import { conclusiveVerdicts } from "../domain/history.ts";
import {
  findTroubledPlaces,
  getTrouble,
  type PlaceFigures,
  type RunPlaces,
  type SeenFrom,
} from "../domain/places/place-histories.ts";
import { failureVerdicts } from "../domain/verdict.ts";
import { parseSurroundings } from "./surroundings.ts";
import { type ExecutionTables, table } from "./tables.ts";

type Db = Executor<ExecutionTables>;

/** Runs from several places. */
export interface KnownPlaces {
  find(runId: string): RunPlaces | undefined;
  /** How places see a test that failed in a run. */
  describe(runId: string, places: readonly SeenFrom[]): Pick<Failure, "places" | "trouble">;
}

const portalName = "the portal";

/** Costs one small statement where no run is from several places. */
export async function readRunPlaces(db: Db, organizationId: string, runIds: string[]): Promise<KnownPlaces> {
  const { rows } = await sql<{ id: string; surroundings: string; is_of_several: boolean }>`
    select id, surroundings, series_size is not null as is_of_several from ${table("runs")}
    where organization_id = ${organizationId}::uuid and id = any(${runIds}::uuid[])
      and position('"places":' in surroundings) > 0`.execute(db);
  const places = new Map(rows.map(({ id, surroundings }) => [id, parseSurroundings(surroundings).places]));
  const several = rows.filter(({ is_of_several }) => is_of_several).map(({ id }) => id);
  const [names, troubled] = await Promise.all([
    readNames(
      db,
      organizationId,
      [...places.values()].flatMap((one) => one?.ids ?? []),
    ),
    readTroubled(db, organizationId, several),
  ]);
  const getName = (id: string | null) => (id === null ? portalName : (names.get(id) ?? null));
  return {
    find: (runId) => places.get(runId),
    describe(runId, seen) {
      const rule = places.get(runId);
      const trouble = rule && getTrouble(rule, seen, troubled.get(runId) ?? []);
      return {
        places: seen.map(({ placeId, state, since }) => ({
          ...{ locationId: placeId, name: getName(placeId), state, since: since?.toISOString() ?? null },
        })),
        ...(trouble ? { trouble: { locationId: trouble.placeId, name: getName(trouble.placeId) } } : {}),
      };
    },
  };
}

async function readNames(db: Db, organizationId: string, ids: (string | null)[]): Promise<Map<string, string>> {
  const named = [...new Set(ids.filter((id) => id !== null))];
  if (named.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from ${table("locations")}
    where organization_id = ${organizationId}::uuid and id = any(${named}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Places of these runs that are in trouble themselves. */
async function readTroubled(db: Db, organizationId: string, runIds: string[]): Promise<Map<string, (string | null)[]>> {
  if (runIds.length === 0) return new Map();
  const hasFailed = sql`verdict = any(${failureVerdicts}::text[])`;
  const { rows } = await sql<PlaceFigures & { runId: string }>`
    select run_id as "runId", location_id as "placeId", count(distinct test_id)::int as answered,
      (count(distinct test_id) filter (where ${hasFailed}))::int as failing,
      (count(distinct host) filter (where ${hasFailed}))::int as hosts
    from ${table("executions")}
    where organization_id = ${organizationId}::uuid and run_id = any(${runIds}::uuid[])
      and verdict = any(${conclusiveVerdicts}::text[])
    group by run_id, location_id`.execute(db);
  return new Map(runIds.map((id) => [id, findTroubledPlaces(rows.filter(({ runId }) => runId === id))]));
}
