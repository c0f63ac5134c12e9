import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/** Runs of circles, and what is told of them: lists, the last verdicts. Runs without one are in none of the indexes. */
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
