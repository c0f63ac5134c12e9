import { type QueryExecutorProvider, sql } from "kysely";
import pg from "pg";
import { organizationRole, organizationSetting } from "./organization-scope.ts";

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

const actForText = `select set_config('role', $1, false), set_config('${organizationSetting}', $2, false)`;

/** A connection that prepares what is marked so, and is one organization's as long as it is told to be. */
export class PreparingClient extends pg.Client {
  /** Undefined: everybody's; null: not known, since changing it failed. */
  #organizationId: string | undefined | null;
  /** What was sent and needs no answer before the next statement is. */
  #ahead: Promise<unknown>[] = [];
  #isHeld = false;

  /**
   * From the next statement on. It is sent with that one, so it costs no round trip; outside of transactions only, since
   * one that is rolled back would take it with it.
   */
  actFor(organizationId: string | undefined): void {
    if (organizationId === this.#organizationId) return;
    this.#organizationId = organizationId;
    const values = [organizationId ? organizationRole : "none", organizationId ?? ""];
    this.#hold();
    const changing = super.query({ name: "act_for", text: actForText, values });
    changing.catch(() => {
      this.#organizationId = null;
    });
    this.#goAhead(changing);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the pool and Kysely ask in two of the eight ways there are.
  override query(asked: any, values?: any, callback?: any): any {
    this.#hold();
    const name = typeof asked === "string" ? preparedName(asked) : undefined;
    const answer =
      name && Array.isArray(values)
        ? super.query({ name, text: asked, values }, callback)
        : super.query(asked, values, callback);
    if (!(answer instanceof Promise)) return answer;
    if (asked === "begin") {
      this.#goAhead(answer);
      return Promise.resolve({ command: "BEGIN", rowCount: null, rows: [] });
    }
    if (this.#ahead.length === 0) return answer;
    const ahead = this.#ahead;
    this.#ahead = [];
    // Whose rows it was answered from, or in which transaction, is not known where one of these fails.
    return Promise.all([answer, ...ahead]).then(([result]) => result);
  }

  /** Sends what is asked in one turn as one packet: each has its price, here and at the server. */
  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isHeld = false;
      stream.uncork();
    });
  }

  #goAhead(sent: Promise<unknown>): void {
    sent.catch(() => {});
    this.#ahead.push(sent);
  }
}
