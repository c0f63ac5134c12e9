import { type Selectable, type SqlBool, sql } from "kysely";
import { type MaintenanceWindowInput, windowTimes } from "#contracts/test-registry/maintenance-windows.ts";
import { json } from "../../kit/database/database.ts";
import { containsPattern, readIdCursor } from "../../kit/database/keyset.ts";
import type { MaintenanceWindowScope } from "../domain/maintenance-window.ts";
import type { TestDatabase, TestTables } from "./tables.ts";

export type StoredRow = Selectable<TestTables["maintenance_windows"]>;
export type WindowRow = Omit<StoredRow, "times"> & { times: MaintenanceWindowInput["times"] };
export type NamedWindow = WindowRow & { circle_name: string | null };
type Owned = { organizationId: string; maintenanceWindowId: string };

export function toScope({ name, api_id, circle_id, times }: WindowRow): MaintenanceWindowScope {
  return { name, apiId: api_id ?? undefined, testCircleId: circle_id ?? undefined, times };
}

function readWindow<Row extends StoredRow>(row: Row) {
  return { ...row, times: windowTimes.parse(row.times) };
}

/** With the name of its circle. */
function named(db: TestDatabase) {
  return db
    .selectFrom("maintenance_windows as window")
    .leftJoin("test_circles as circle", "circle.id", "window.circle_id")
    .selectAll("window")
    .select("circle.name as circle_name");
}

export async function insertWindow(db: TestDatabase, row: WindowRow): Promise<void> {
  await db
    .insertInto("maintenance_windows")
    .values({ ...row, times: json(row.times) })
    .execute();
}

export async function findWindow(
  db: TestDatabase,
  { organizationId, maintenanceWindowId }: Owned,
): Promise<NamedWindow | undefined> {
  const row = await named(db)
    .where("window.organization_id", "=", organizationId)
    .where("window.id", "=", maintenanceWindowId)
    .executeTakeFirst();
  return row && readWindow(row);
}

/** Replaces the row and increments its version; false when it is absent or has none of the versions. */
export async function updateWindow(
  db: TestDatabase,
  row: Omit<WindowRow, "version" | "created_at">,
  versions: number[] | undefined,
): Promise<boolean> {
  const { id, organization_id, ...columns } = row;
  let update = db
    .updateTable("maintenance_windows")
    .set((expression) => ({ ...columns, times: json(columns.times), version: expression("version", "+", 1) }))
    .where("organization_id", "=", organization_id)
    .where("id", "=", id);
  if (versions) update = update.where(sql<SqlBool>`version = any(${versions}::int[])`);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The deleted row; undefined when there was none, or it has none of the versions. */
export async function removeWindow(
  db: TestDatabase,
  { organizationId, maintenanceWindowId }: Owned,
  versions: number[] | undefined,
): Promise<WindowRow | undefined> {
  let removal = db
    .deleteFrom("maintenance_windows")
    .where("organization_id", "=", organizationId)
    .where("id", "=", maintenanceWindowId);
  if (versions) removal = removal.where(sql<SqlBool>`version = any(${versions}::int[])`);
  const removed = await removal.returningAll().executeTakeFirst();
  return removed && readWindow(removed);
}

/** Those of a deleted API. */
export async function removeWindowsOfApi(db: TestDatabase, organizationId: string, apiId: string): Promise<void> {
  await db
    .deleteFrom("maintenance_windows")
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .execute();
}

/** Newest first; one row more than the page. */
export async function listWindows(
  db: TestDatabase,
  { organizationId, query, testCircleId }: { organizationId: string; query?: string; testCircleId?: string },
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<NamedWindow[]> {
  let windows = named(db).where("window.organization_id", "=", organizationId);
  if (testCircleId) windows = windows.where("window.circle_id", "=", testCircleId);
  if (query) windows = windows.where("window.name", "ilike", containsPattern(query));
  if (cursor !== undefined) windows = windows.where("window.id", "<", readIdCursor(cursor));
  const rows = await windows
    .orderBy("window.id", "desc")
    .limit(limit + 1)
    .execute();
  return rows.map(readWindow);
}

/** Those of several organizations, for the scheduler. */
export async function listWindowsByOrganization(db: TestDatabase, organizationIds: string[]): Promise<WindowRow[]> {
  const rows = await db
    .selectFrom("maintenance_windows")
    .selectAll()
    .where("organization_id", "=", sql<string>`any(${organizationIds}::uuid[])`)
    .orderBy("id")
    .execute();
  return rows.map(readWindow);
}
