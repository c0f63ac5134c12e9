import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/** Adds circles to runs, lists and last verdicts. Runs without one are in none of the indexes. */
export async function addCircles(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("runs")} add column test_circle_id uuid, add column test_circle_name text,
    add column concurrency integer, add column rerun_from integer`.execute(db);
  for (const name of ["unfinished_executions", "executions"] as const) {
    await sql`alter table ${table(name)} add column phase text not null default 'main'`.execute(db);
  }
  const isCircles = sql`where test_circle_id is not null`;
  const runs = table("runs");
  await sql`create index runs_circle on ${runs} (organization_id, test_circle_id, id) ${isCircles}`.execute(db);
  await sql`create index runs_circle_verdict on ${runs} (organization_id, test_circle_id, verdict, id) ${isCircles}
    and finished_at is not null`.execute(db);
  await sql`create index runs_circle_trigger on ${runs} (organization_id, test_circle_id, trigger, id) ${isCircles}`.execute(
    db,
  );
  await sql`create index runs_circles on ${runs} (organization_id, id) ${isCircles}`.execute(db);
  await sql`create index runs_circles_api on ${runs} (organization_id, api_id, id) ${isCircles}`.execute(db);
}

/**
 * Without these, the few failed or manually started runs are searched for among all runs of circles, or among all that
 * run tests of several APIs: 8 ms at twenty thousand of them.
 */
export async function indexCircleFilters(db: Kysely<AnyTables>): Promise<void> {
  const runs = table("runs");
  for (const [name, is] of [
    ["runs_circles", sql`test_circle_id is not null`],
    ["runs_apis", sql`api_id is null`],
  ] as const) {
    await sql`create index ${sql.id(`${name}_verdict`)} on ${runs} (organization_id, verdict, id)
      where ${is} and finished_at is not null`.execute(db);
    await sql`create index ${sql.id(`${name}_trigger`)} on ${runs} (organization_id, trigger, id) where ${is}`.execute(
      db,
    );
  }
}
