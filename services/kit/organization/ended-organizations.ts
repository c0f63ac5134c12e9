import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../clock/clock.ts";
import { startPeriodicJob } from "../clock/periodic-job.ts";
import type { AnyTables, Database } from "../database/database.ts";
import { notify } from "../database/notifications.ts";
import { type EndedTables, forgetEnded, insertEnded, listDue, sweepAgain } from "./ended-table.ts";
import { sweepRows } from "./sweep-rows.ts";

export interface EndedOrganizationsOptions {
  database: Database;
  schema: string;
  clock: Clock;
  log: Logger;
  /** Whether this process deletes, or only takes note. */
  work: boolean;
  /** Tables whose rows stay and go by themselves. */
  except?: readonly string[];
  /** Does what has to be done before rows go. @returns tables whose rows have to wait for it */
  prepare?(organizationId: string, stopping: AbortSignal): Promise<readonly string[]>;
  /** Rows are gone: what they leave for others to remove can go, too. */
  swept?(): void;
}

export type EndedOrganizations = Awaited<ReturnType<typeof createEndedOrganizations>>;

const lookEveryMilliseconds = 5_000;
const firstPauseMilliseconds = 60_000;
const keptMilliseconds = 24 * 60 * 60_000;

/**
 * Deletes what a service keeps of deleted organizations: at once, and again after a minute, seven and so on up to a day,
 * since what was under way meanwhile (a request, a run, an event of another service) may have written rows of theirs.
 */
export async function createEndedOrganizations(options: EndedOrganizationsOptions) {
  const { database, schema, clock, log, except = [], prepare } = options;
  const db = database.inSchema<EndedTables>(schema);
  const tables = db as unknown as Kysely<AnyTables>;
  const channel = `ended_organizations_${schema}`;
  const stopping = new AbortController();
  let sweeping: Promise<void> | undefined;
  let isAskedAgain = false;

  async function sweep(): Promise<void> {
    const now = clock.now();
    for (const { id, ended_at } of await listDue(db, now)) {
      const waiting = (await prepare?.(id, stopping.signal)) ?? [];
      await sweepRows(tables, { schema, id, except: [...except, ...waiting], stopping: stopping.signal });
      if (stopping.signal.aborted) return;
      options.swept?.();
      const age = now.getTime() - ended_at.getTime();
      if (waiting.length > 0) await sweepAgain(db, id, new Date(now.getTime() + lookEveryMilliseconds));
      else if (age > keptMilliseconds) await forgetEnded(db, id);
      else await sweepAgain(db, id, new Date(now.getTime() + Math.max(firstPauseMilliseconds, age * 6)));
    }
  }

  /** One sweep at a time; what is told of meanwhile gets one of its own. */
  async function look(): Promise<void> {
    isAskedAgain = true;
    sweeping ??= (async () => {
      while (isAskedAgain && !stopping.signal.aborted) {
        isAskedAgain = false;
        await sweep();
      }
    })().finally(() => {
      sweeping = undefined;
    });
    await sweeping;
  }

  const failure = "what is left of a deleted organization could not be deleted";
  const stopLooking = options.work
    ? startPeriodicJob({ everyMilliseconds: lookEveryMilliseconds, work: look, failure, log })
    : undefined;
  const unsubscribe = options.work
    ? await database.subscribe(channel, () => void look().catch((err: unknown) => log.warn({ err }, failure)))
    : undefined;
  return {
    /** Takes note of it in the transaction that hears of it; the rows go after its commit. */
    async end(transaction: Kysely<AnyTables>, organizationId: string): Promise<void> {
      await insertEnded(transaction as unknown as Kysely<EndedTables>, organizationId, clock.now());
      await notify(transaction, channel);
    },
    async stop() {
      unsubscribe?.();
      stopping.abort();
      await stopLooking?.();
      await sweeping?.catch(() => undefined);
    },
  };
}
