import { type Selectable, type SqlBool, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { type AnalyzerTables, table } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
export type ServiceLevelRow = Selectable<AnalyzerTables["service_levels"]>;

export async function findServiceLevels(
  db: Db,
  organizationId: string,
  testCircleIds: string[],
): Promise<ServiceLevelRow[]> {
  return await db
    .selectFrom("service_levels")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(sql<SqlBool>`test_circle_id = any(${testCircleIds}::uuid[])`)
    .execute();
}

/**
 * Writes it, as version 1 or the next; undefined when the stored one has none of the versions (0 stands for none stored).
 */
export async function putServiceLevel(
  db: Db,
  row: Omit<ServiceLevelRow, "version">,
  versions: number[] | undefined,
): Promise<ServiceLevelRow | undefined> {
  const { rows } = await sql<ServiceLevelRow>`
    insert into ${table("service_levels")} as known
      (organization_id, test_circle_id, objective, days, counts, version, created_at, updated_at)
    select ${row.organization_id}::uuid, ${row.test_circle_id}::uuid, ${row.objective}::float8, ${row.days}::int,
      ${row.counts}, 1, ${row.created_at}::timestamptz, ${row.updated_at}::timestamptz
    where ${versions === undefined || versions.includes(0)} or exists (
      select from ${table("service_levels")} one
      where one.organization_id = ${row.organization_id}::uuid and one.test_circle_id = ${row.test_circle_id}::uuid)
    on conflict (organization_id, test_circle_id) do update set objective = excluded.objective, days = excluded.days,
      counts = excluded.counts, updated_at = excluded.updated_at, version = known.version + 1
    where ${versions === undefined} or known.version = any(${versions ?? []}::int[])
    returning *`.execute(db);
  return rows[0];
}

/** @returns what went */
export async function removeServiceLevel(
  db: Db,
  organizationId: string,
  testCircleId: string,
  versions?: number[],
): Promise<ServiceLevelRow | undefined> {
  let removal = db
    .deleteFrom("service_levels")
    .where("organization_id", "=", organizationId)
    .where("test_circle_id", "=", testCircleId);
  if (versions) removal = removal.where(sql<SqlBool>`version = any(${versions}::int[])`);
  return await removal.returningAll().executeTakeFirst();
}
