import { type Selectable, type SqlBool, sql } from "kysely";
import { z } from "zod";
import type { Executor } from "../../kit/database/database.ts";
import { type AnalyzerTables, type AnalyzerTransaction, table } from "./tables.ts";

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

/** Makes burn checks of these service levels due after a run. */
export async function lookAtBurn(
  db: Db,
  { organizationId, testCircleId, at }: { organizationId: string; testCircleId: string; at: Date },
): Promise<void> {
  await db
    .updateTable("service_levels")
    .set({ look_at: at })
    .where("organization_id", "=", organizationId)
    .where("test_circle_id", "=", testCircleId)
    .execute();
}

/** Levels due for a check, grouped by organization. */
export async function listLevelsToLookAt(db: Db, now: Date, limit: number): Promise<ServiceLevelRow[]> {
  return await db
    .selectFrom("service_levels")
    .selectAll()
    .where("look_at", "<=", now)
    .orderBy("organization_id")
    .orderBy("look_at")
    .limit(limit)
    .execute();
}

/**
 * Stores the result of a check of the row as it was read; false when the row was changed or checked in the meantime.
 * @param next time of the next check, unless a run ends earlier
 */
export async function storeBurn(
  transaction: AnalyzerTransaction,
  row: ServiceLevelRow,
  { burningSince, next }: { burningSince: Date | null; next: Date | null },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("service_levels")
    .set({
      burning_since: burningSince,
      look_at: sql`case when look_at = ${row.look_at}::timestamptz then ${next}::timestamptz else look_at end`,
    })
    .where("organization_id", "=", row.organization_id)
    .where("test_circle_id", "=", row.test_circle_id)
    .where("version", "=", row.version)
    .where(sql<SqlBool>`burning_since is not distinct from ${row.burning_since}::timestamptz`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function saveBurnNotices(
  transaction: AnalyzerTransaction,
  { organization_id, test_circle_id }: ServiceLevelRow,
  notices: readonly BurnNotice[],
): Promise<void> {
  await transaction
    .updateTable("service_levels")
    .set({ burn_told: sql`cast(${JSON.stringify(notices)} as json)` })
    .where("organization_id", "=", organization_id)
    .where("test_circle_id", "=", test_circle_id)
    .execute();
}

/** A channel that was notified of a fast burn. */
const burnNotice = z.object({ channelId: z.string(), deliveryId: z.string(), tellsEnd: z.boolean() });
export type BurnNotice = z.infer<typeof burnNotice>;

export const getBurnNotices = ({ burn_told }: ServiceLevelRow): BurnNotice[] => z.array(burnNotice).parse(burn_told);

/**
 * Writes the level with version 1 or the next one; undefined when the stored one has none of the versions (0 means none
 * stored).
 */
export async function putServiceLevel(
  db: Db,
  row: Omit<ServiceLevelRow, "version" | "burning_since" | "burn_told" | "look_at">,
  versions: number[] | undefined,
): Promise<ServiceLevelRow | undefined> {
  const { rows } = await sql<ServiceLevelRow>`
    insert into ${table("service_levels")} as known
      (organization_id, test_circle_id, objective, days, counts, version, created_at, updated_at, look_at)
    select ${row.organization_id}::uuid, ${row.test_circle_id}::uuid, ${row.objective}::float8, ${row.days}::int,
      ${row.counts}, 1, ${row.created_at}::timestamptz, ${row.updated_at}::timestamptz, ${row.updated_at}::timestamptz
    where ${versions === undefined || versions.includes(0)} or exists (
      select from ${table("service_levels")} one
      where one.organization_id = ${row.organization_id}::uuid and one.test_circle_id = ${row.test_circle_id}::uuid)
    on conflict (organization_id, test_circle_id) do update set objective = excluded.objective, days = excluded.days,
      counts = excluded.counts, updated_at = excluded.updated_at, look_at = excluded.look_at,
      version = known.version + 1
    where ${versions === undefined} or known.version = any(${versions ?? []}::int[])
    returning *`.execute(db);
  return rows[0];
}

/** @returns the deleted row */
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
