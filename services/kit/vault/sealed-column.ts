import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../database/database.ts";
import type { SealingContext, Vault } from "./vault.ts";

/** A row as returned by the database. */
export type SealedRow = Record<string, unknown>;

/** A column of sealed texts, so that they can be sealed again with a new key. */
export interface SealedColumn {
  schema: string;
  table: string;
  column: string;
  /** Columns of the primary key, by which rows are scanned. */
  key: readonly string[];
  /** Other columns that are part of the sealing context. */
  others?: readonly string[];
  /** Excludes rows whose text is not sealed. */
  where?: ReturnType<typeof sql>;
  /** The column contains the sealed text itself; for JSON, this lists the texts within it. */
  json?(value: unknown, row: SealedRow, renew: (sealed: string, context: SealingContext) => string): unknown;
  /** The sealing context of a text. */
  toContext(row: SealedRow): SealingContext;
}

const rowsPerBatch = 500;

/**
 * Seals texts again with the current key that another one has sealed. Each batch is a separate transaction, and
 * finished rows are recognized by their key: the next run continues after a kill. A row changed meanwhile keeps its
 * change.
 * @returns how many rows were sealed again
 */
export async function resealColumn(db: Kysely<AnyTables>, vault: Vault, column: SealedColumn): Promise<number> {
  let count = 0;
  let after: SealedRow | undefined;
  for (;;) {
    const rows = await listRows(db, column, after);
    const changes = rows.flatMap((row) => renewRow(vault, column, row));
    if (changes.length > 0) {
      count += await db.transaction().execute(async (transaction) => {
        let written = 0;
        for (const change of changes) written += await writeRow(transaction, column, change);
        return written;
      });
    }
    after = rows.at(-1);
    if (rows.length < rowsPerBatch) return count;
  }
}

const toTable = ({ schema, table }: SealedColumn) => sql.id(schema, table);
const toColumnList = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

async function listRows(db: Kysely<AnyTables>, column: SealedColumn, after: SealedRow | undefined) {
  const { key, others = [], where = sql`true` } = column;
  const isBeyond = after ? sql`(${toColumnList(key)}) > (${sql.join(key.map((name) => after[name]))})` : sql`true`;
  const { rows } = await sql<SealedRow>`
    select ${toColumnList([...key, ...others, column.column])} from ${toTable(column)}
    where ${sql.ref(column.column)}::text like ${column.json ? '%"v1.%' : "v1.%"} and ${where} and ${isBeyond}
    order by ${toColumnList(key)} limit ${rowsPerBatch}`.execute(db);
  return rows;
}

interface RowChange {
  row: SealedRow;
  value: unknown;
}

function renewRow(vault: Vault, column: SealedColumn, row: SealedRow): RowChange[] {
  const value = row[column.column];
  let isRenewed = false;
  const renew = (sealed: string, context: SealingContext) => {
    if (vault.isCurrent(sealed)) return sealed;
    isRenewed = true;
    return vault.seal(vault.open(sealed, context), context);
  };
  const renewed = column.json ? column.json(value, row, renew) : renew(String(value), column.toContext(row));
  return isRenewed ? [{ row, value: renewed }] : [];
}

async function writeRow(db: Kysely<AnyTables>, column: SealedColumn, { row, value }: RowChange): Promise<number> {
  const parameter = (stored: unknown) => (column.json ? sql`cast(${JSON.stringify(stored)} as jsonb)` : sql`${stored}`);
  const isIt = sql.join(
    column.key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  );
  const name = sql.ref(column.column);
  const result = await sql`
    update ${toTable(column)} set ${name} = ${parameter(value)}
    where ${isIt} and ${name} = ${parameter(row[column.column])}`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
