import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../database/database.ts";
import type { SecretPlace, Vault } from "./vault.ts";

/** A row as the database gives it. */
export type SealedRow = Record<string, unknown>;

/** Where sealed texts lie, so that a new key can seal them again. */
export interface SealedColumn {
  schema: string;
  table: string;
  column: string;
  /** Columns of the primary key, which rows are walked by. */
  key: readonly string[];
  /** Other columns that a place is made of. */
  others?: readonly string[];
  /** Rows whose text is no sealed one. */
  where?: ReturnType<typeof sql>;
  /** A text is the sealed one itself; of JSON this says which texts in it are. */
  json?(value: unknown, row: SealedRow, renew: (sealed: string, place: SecretPlace) => string): unknown;
  /** What a text is bound to. */
  placeOf(row: SealedRow): SecretPlace;
}

const rowsAtOnce = 500;

/**
 * Seals again, with the current key, what another one has sealed. Each batch is a transaction of its own, and a row that
 * was done is known by its key: whoever is killed here is taken up by the next run. A row changed meanwhile stays as
 * it was changed.
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
    if (rows.length < rowsAtOnce) return count;
  }
}

const tableOf = ({ schema, table }: SealedColumn) => sql.id(schema, table);
const listOf = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

async function listRows(db: Kysely<AnyTables>, column: SealedColumn, after: SealedRow | undefined) {
  const { key, others = [], where = sql`true` } = column;
  const isBeyond = after ? sql`(${listOf(key)}) > (${sql.join(key.map((name) => after[name]))})` : sql`true`;
  const { rows } = await sql<SealedRow>`
    select ${listOf([...key, ...others, column.column])} from ${tableOf(column)}
    where ${sql.ref(column.column)}::text like ${column.json ? '%"v1.%' : "v1.%"} and ${where} and ${isBeyond}
    order by ${listOf(key)} limit ${rowsAtOnce}`.execute(db);
  return rows;
}

interface RowChange {
  row: SealedRow;
  value: unknown;
}

function renewRow(vault: Vault, column: SealedColumn, row: SealedRow): RowChange[] {
  const value = row[column.column];
  let isRenewed = false;
  const renew = (sealed: string, place: SecretPlace) => {
    if (vault.isCurrent(sealed)) return sealed;
    isRenewed = true;
    return vault.seal(vault.open(sealed, place), place);
  };
  const renewed = column.json ? column.json(value, row, renew) : renew(String(value), column.placeOf(row));
  return isRenewed ? [{ row, value: renewed }] : [];
}

async function writeRow(db: Kysely<AnyTables>, column: SealedColumn, { row, value }: RowChange): Promise<number> {
  const parameter = (given: unknown) => (column.json ? sql`cast(${JSON.stringify(given)} as jsonb)` : sql`${given}`);
  const isIt = sql.join(
    column.key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  );
  const name = sql.ref(column.column);
  const result = await sql`
    update ${tableOf(column)} set ${name} = ${parameter(value)}
    where ${isIt} and ${name} = ${parameter(row[column.column])}`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
