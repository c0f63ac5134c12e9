import { type QueryExecutorProvider, sql } from "kysely";
import pg from "pg";

const mark = /^\s*\/\* prepared as (\w+) \*\//;

/**
 * Begins a statement that comes again and again in the same words: each connection parses and plans it once. Its plan
 * has to be good for tables of any size (see `planByIndex`), and it names the columns that it answers, since a newer
 * version beside this one may add some.
 */
export const prepared = (name: string) => sql.raw(`/* prepared as ${name} */`);

/** What the statement is to be prepared as; undefined where it is not. */
export const preparedName = (text: string): string | undefined => mark.exec(text)?.[1];

/**
 * Until the transaction ends plans are made once, whatever the parameters, and by indexes: a table that is empty now may
 * have a hundred thousand rows a moment later, and the plan is still the same.
 */
export async function planByIndex(transaction: QueryExecutorProvider): Promise<void> {
  await sql`set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan`.execute(transaction);
}

/** A connection that prepares what is marked so. */
export class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the pool and Kysely ask in two of the eight ways there are.
  override query(asked: any, values?: any, callback?: any): any {
    const name = typeof asked === "string" ? preparedName(asked) : undefined;
    if (name && Array.isArray(values)) return super.query({ name, text: asked, values }, callback);
    return super.query(asked, values, callback);
  }
}
