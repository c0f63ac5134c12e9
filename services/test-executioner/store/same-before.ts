import { type RawBuilder, sql } from "kysely";
import { conclusiveVerdicts } from "../domain/history.ts";
import { type ApiSurroundings, parseSurroundings } from "./surroundings.ts";
import { type ExecutionDatabase, type ExecutionRow, type RunRow, table } from "./tables.ts";

/** The search for the start of a test's failures goes no further back. */
export const maxEarlier = 200;
/** For each of many failures. */
const maxEarlierEach = 20;

/** An execution that ended, with the API's document and environment as they were. */
export interface EarlierExecution
  extends Pick<
    ExecutionRow,
    "id" | "run_id" | "position" | "verdict" | "status_code" | "response_milliseconds" | "finished_at" | "location_id"
  > {
  api: ApiSurroundings | undefined;
}

type EarlierRow = Omit<EarlierExecution, "api"> & { test_circle_id: string | null; surroundings: string };

interface SameBefore {
  items: EarlierExecution[];
  isWhole: boolean;
}

/**
 * The same test's executions before one, newest first, one per run: in the same circle or outside of circles, with the
 * same row of data and the same environment.
 */
export async function listSameBefore(db: ExecutionDatabase, execution: ExecutionRow, run: RunRow): Promise<SameBefore> {
  // Not "is not distinct from": PostgreSQL cannot estimate its rows, and reads and sorts all of the test's.
  const ofRow = execution.row_index === null ? sql`row_index is null` : sql`row_index = ${execution.row_index}::int`;
  const { rows } = await sql<EarlierRow>`
    select earlier.id, earlier.run_id, earlier.position, earlier.verdict, earlier.status_code,
      earlier.response_milliseconds, earlier.finished_at, earlier.location_id, run.test_circle_id, run.surroundings
    from (
      select * from ${table("executions")}
      where organization_id = ${execution.organization_id}::uuid and test_id = ${execution.test_id}::uuid
        and id < ${execution.id}::uuid and run_id <> ${execution.run_id}::uuid
        and ${ofRow} and verdict = any(${conclusiveVerdicts}::text[])
      order by id desc limit ${maxEarlier}
    ) earlier
    join ${table("runs")} run on run.id = earlier.run_id and run.organization_id = ${execution.organization_id}::uuid
    order by earlier.id desc`.execute(db);
  return { items: keepSame(execution, run, rows), isWhole: rows.length < maxEarlier };
}

/** The same for many executions of one run at once, with fewer results. */
export async function listEachSameBefore(
  db: ExecutionDatabase,
  run: RunRow,
  executions: readonly ExecutionRow[],
): Promise<Map<string, { items: Pick<EarlierExecution, "verdict">[]; isWhole: boolean }>> {
  const before = (ofRow: RawBuilder<unknown>) => sql`(
      select id, run_id, position, verdict, status_code, response_milliseconds, finished_at, location_id from ${table("executions")}
      where organization_id = ${run.organization_id}::uuid and test_id = asked.test_id
        and id < asked.id and run_id <> ${run.id}::uuid and ${ofRow} and verdict = any(${conclusiveVerdicts}::text[])
      order by id desc limit ${maxEarlierEach}
    )`;
  const { rows } = await sql<EarlierRow & { of_id: string }>`
    select asked.id as of_id, earlier.*, run.test_circle_id, run.surroundings
    from unnest(
      ${executions.map(({ id }) => id)}::uuid[],
      ${executions.map(({ test_id }) => test_id)}::uuid[],
      ${executions.map(({ row_index }) => row_index)}::int[]
    ) as asked(id, test_id, row_index), lateral (
      ${before(sql`asked.row_index is null and row_index is null`)}
      union all
      ${before(sql`asked.row_index is not null and row_index = asked.row_index`)}
    ) earlier
    join ${table("runs")} run on run.id = earlier.run_id and run.organization_id = ${run.organization_id}::uuid
    order by earlier.id desc`.execute(db);
  return new Map(
    executions.map((execution) => {
      const own = rows.filter(({ of_id }) => of_id === execution.id);
      return [execution.id, { items: keepSame(execution, run, own), isWhole: own.length < maxEarlierEach }];
    }),
  );
}

/** One per run, of those in the same circle with the same environment; of several places from the same one. */
function keepSame(execution: ExecutionRow, run: RunRow, rows: readonly EarlierRow[]): EarlierExecution[] {
  const own = findApi(run.surroundings, execution.api_id);
  const isOfPlace = parseSurroundings(run.surroundings).places !== undefined;
  // Most runs of a test are alike.
  const apis = new Map<string, ApiSurroundings | undefined>();
  const byRun = new Map<string, EarlierExecution>();
  for (const { surroundings, test_circle_id: circleId, ...row } of rows) {
    if (!apis.has(surroundings)) apis.set(surroundings, findApi(surroundings, execution.api_id));
    const api = apis.get(surroundings);
    if (circleId !== run.test_circle_id || getEnvironment(api) !== getEnvironment(own)) continue;
    if (isOfPlace && row.location_id !== execution.location_id) continue;
    const known = byRun.get(row.run_id);
    if (!known || row.position === execution.position) byRun.set(row.run_id, { ...row, api });
  }
  return [...byRun.values()];
}

export function findApi(surroundings: string, apiId: string): ApiSurroundings | undefined {
  return parseSurroundings(surroundings).apis.find((api) => api.apiId === apiId);
}

/** A base URL given at the start precedes the environment's. */
function getEnvironment(api: ApiSurroundings | undefined): string {
  return api?.baseUrls[0] ?? api?.environment ?? "";
}
