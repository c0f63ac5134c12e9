import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { testSorts } from "#contracts/test-registry/tests.ts";
import { safeMethods } from "#libraries/openapi/safe-methods.ts";
import { json } from "../../kit/database/database.ts";
import { type CursorKind, type CursorValues, containsPattern, readCursor } from "../../kit/database/keyset.ts";
import type { TestDatabase } from "./tables.ts";
import { readTest, type TestRow } from "./tests.ts";

export interface TestFilter {
  organizationId: string;
  /** Omitted: all APIs. */
  apiId?: string;
  query?: string;
  method?: string;
  path?: string;
  tag?: string;
  enabled?: boolean;
  safe?: boolean;
  ids?: string[];
  /** Only tests that name it themselves. */
  locationId?: string;
}

type Sort = (typeof testSorts)[number];

const casts: Partial<Record<CursorKind, RawBuilder<unknown>>> = {
  text: sql`text`,
  id: sql`uuid`,
  moment: sql`timestamptz`,
};

/** Sort columns as in the indexes, and the cursor of a row. */
const orders: Record<string, { columns: string[]; kinds: CursorKind[]; cursorOf: (row: TestRow) => CursorValues }> = {
  name: {
    columns: ["name_key", "id"],
    kinds: ["text", "id"],
    cursorOf: (row) => [row.name, row.id],
  },
  path: {
    columns: [`path collate "C"`, `method collate "C"`, "id"],
    kinds: ["text", "text", "id"],
    cursorOf: (row) => [row.path, row.method, row.id],
  },
  updatedAt: {
    columns: ["updated_at", "id"],
    kinds: ["moment", "id"],
    cursorOf: (row) => [row.updated_at.toISOString(), row.id],
  },
};

function toOrder(sort: Sort) {
  const order = orders[sort.replace(/^-/, "")];
  if (!order) throw new Error(`no order for ${sort}`);
  return order;
}

/** The cursor of the page after a row. */
export function cursorAfter(sort: Sort, row: TestRow): CursorValues {
  return toOrder(sort).cursorOf(row);
}

function matching(db: TestDatabase, filter: TestFilter) {
  let tests = db.selectFrom("tests").where("organization_id", "=", filter.organizationId);
  if (filter.apiId !== undefined) tests = tests.where("api_id", "=", filter.apiId);
  if (filter.query) {
    const pattern = containsPattern(filter.query);
    tests = tests.where((is) => is.or([is("name", "ilike", pattern), is("path", "ilike", pattern)]));
  }
  if (filter.method !== undefined) tests = tests.where(sql<SqlBool>`lower(method) = ${filter.method.toLowerCase()}`);
  if (filter.path !== undefined) tests = tests.where("path", "=", filter.path);
  if (filter.tag !== undefined) tests = tests.where(sql<SqlBool>`tags @> ${json([filter.tag])}`);
  if (filter.ids) tests = tests.where(sql<SqlBool>`id = any(${filter.ids}::uuid[])`);
  if (filter.locationId) tests = tests.where(sql<SqlBool>`definition ->> 'locationId' = ${filter.locationId}`);
  if (filter.safe !== undefined) {
    tests = tests.where(sql<SqlBool>`(upper(method) = any(${[...safeMethods]}::text[])) = ${filter.safe}`);
  }
  if (filter.enabled !== undefined) tests = tests.where("enabled", "=", filter.enabled);
  return tests;
}

/** One row more than the page, to detect a further page. */
export async function listTests(
  db: TestDatabase,
  filter: TestFilter,
  page: { sort: Sort; limit: number; cursor?: string },
): Promise<TestRow[]> {
  const { columns, kinds } = toOrder(page.sort);
  const descending = page.sort.startsWith("-");
  const key = sql.join(columns.map((column) => sql.raw(column)));
  let tests = matching(db, filter);
  if (page.cursor !== undefined) {
    const values = readCursor(page.cursor, kinds).map((value, index) => {
      const given = sql`cast(${String(value)} as ${casts[kinds[index]!]})`;
      return columns[index] === "name_key" ? sql`lower(${given})` : given;
    });
    tests = tests.where(sql<SqlBool>`(${key}) ${sql.raw(descending ? "<" : ">")} (${sql.join(values)})`);
  }
  for (const column of columns) {
    tests = tests.orderBy(sql.raw(column), descending ? "desc" : "asc");
  }
  const rows = await tests
    .selectAll()
    .limit(page.limit + 1)
    .execute();
  return rows.map((row) => readTest(row));
}

export async function countMatchingTests(db: TestDatabase, filter: TestFilter): Promise<number> {
  const counted = await matching(db, filter)
    .select((of) => of.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(counted.total);
}
