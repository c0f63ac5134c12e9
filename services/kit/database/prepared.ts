import { type QueryExecutorProvider, sql } from "kysely";
import pg from "pg";
import { organizationRole, organizationSetting } from "./organization-scope.ts";

const mark = /^\s*\/\* prepared as (\w+) \*\//;

/**
 * Starts a frequently repeated statement: each connection parses and plans it once. Its plan has to suit tables of any
 * size (see `planByIndex`), and it names its result columns, since a newer version running at the same time may add
 * some.
 */
export const prepared = (name: string) => sql.raw(`/* prepared as ${name} */`);

/** Name of the prepared statement; undefined if it is not to be prepared. */
export const preparedName = (text: string): string | undefined => mark.exec(text)?.[1];

/**
 * Until the transaction ends, plans are generic and use indexes: a table that is empty now may have a hundred thousand
 * rows a moment later, with the same plan.
 */
export async function planByIndex(transaction: QueryExecutorProvider): Promise<void> {
  await sql`set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan`.execute(transaction);
}

export interface Notification {
  channel: string;
  payload: string;
}

/** Is not sent: its parameters wait for the commit, see `onCommit`. */
export const notifyText = "select pg_notify($1, $2) /* after the commit */";

const actForText = `select set_config('role', $1, false), set_config('${organizationSetting}', $2, false)`;

/**
 * A connection that prepares marked statements, acts for one organization until it is switched, and keeps
 * notifications back until their transaction has committed.
 */
export class PreparingClient extends pg.Client {
  /** Receives the notifications of each committed transaction. */
  onCommit: (notifications: Notification[]) => void = () => {};
  /** Of the open transaction; undefined outside of one. */
  #notifications: Notification[] | undefined;
  /** Undefined: all organizations; null: unknown, since changing it failed. */
  #organizationId: string | undefined | null;
  /** Statements whose results are not needed before the next one is sent. */
  #ahead: Promise<unknown>[] = [];
  #isHeld = false;

  /**
   * Applies from the next statement on. It is sent together with that one, so it costs no round trip; outside of
   * transactions only, since a rollback would revert it.
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
  override query(requested: any, values?: any, callback?: any): any {
    if (requested === notifyText) return this.#keepBack(values);
    this.#hold();
    const name = typeof requested === "string" ? preparedName(requested) : undefined;
    const outcome =
      name && Array.isArray(values)
        ? super.query({ name, text: requested, values }, callback)
        : super.query(requested, values, callback);
    if (!(outcome instanceof Promise)) return outcome;
    this.#followTransaction(requested, outcome);
    if (requested === "begin") {
      this.#goAhead(outcome);
      return Promise.resolve({ command: "BEGIN", rowCount: null, rows: [] });
    }
    if (this.#ahead.length === 0) return outcome;
    const ahead = this.#ahead;
    this.#ahead = [];
    // When one of these fails, the scope or transaction of the result is unknown.
    return Promise.all([outcome, ...ahead]).then(([result]) => result);
  }

  #keepBack([channel, payload]: [string, string]) {
    if (this.#notifications) this.#notifications.push({ channel, payload });
    else this.onCommit([{ channel, payload }]);
    return Promise.resolve({ command: "SELECT", rowCount: 0, rows: [] });
  }

  #followTransaction(text: unknown, outcome: Promise<pg.QueryResult>): void {
    if (text === "begin" || (typeof text === "string" && text.startsWith("start transaction"))) {
      this.#notifications = [];
    } else if (text === "commit" || text === "rollback") {
      const notifications = this.#notifications ?? [];
      this.#notifications = undefined;
      if (text === "rollback" || notifications.length === 0) return;
      // A commit that ends a failed transaction succeeds, as a rollback.
      const notified = outcome.then(({ command }) => command === "COMMIT" && this.onCommit(notifications));
      notified.catch(() => {});
    }
  }

  /** Sends the statements of one turn as one packet: each packet has a cost, here and at the server. */
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
