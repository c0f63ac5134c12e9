import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../clock/clock.ts";
import { startPeriodicJob } from "../clock/periodic-job.ts";
import type { AnyTables, Database } from "../database/database.ts";
import { notify } from "../database/notifications.ts";
import { deleteEnded, type EndedTables, insertEnded, listDue, scheduleSweep } from "./ended-table.ts";
import { sweepRows } from "./sweep-rows.ts";

export interface EndedOrganizationsOptions {
  database: Database;
  schema: string;
  clock: Clock;
  log: Logger;
  /** Whether this process deletes rows, or only records the deletion. */
  work: boolean;
  /** Tables whose rows are deleted elsewhere. */
  except?: readonly string[];
  /** Runs before rows are deleted. @returns tables whose rows have to wait */
  prepare?(organizationId: string, stopping: AbortSignal): Promise<readonly string[]>;
  /** Rows were deleted: resources that they referenced can be deleted, too. */
  swept?(): void;
}

export type EndedOrganizations = Awaited<ReturnType<typeof createEndedOrganizations>>;

const sweepIntervalMilliseconds = 5_000;
const firstPauseMilliseconds = 60_000;
const retentionMilliseconds = 24 * 60 * 60_000;

/**
 * Deletes a service's rows of deleted organizations: immediately, and again after a minute, seven and so on up to a
 * day, since concurrent work (a request, a run, an event of another service) may have written further rows.
 */
export async function createEndedOrganizations(options: EndedOrganizationsOptions) {
  const { database, schema, clock, log, except = [], prepare } = options;
  const db = database.inSchema<EndedTables>(schema);
  const tables = db as unknown as Kysely<AnyTables>;
  const channel = `ended_organizations_${schema}`;
  const stopping = new AbortController();
  let sweeping: Promise<void> | undefined;
  let isRequestedAgain = false;

  async function sweep(): Promise<void> {
    const now = clock.now();
    for (const { id, ended_at } of await listDue(db, now)) {
      const waiting = (await prepare?.(id, stopping.signal)) ?? [];
      await sweepRows(tables, { schema, id, except: [...except, ...waiting], stopping: stopping.signal });
      if (stopping.signal.aborted) return;
      options.swept?.();
      const age = now.getTime() - ended_at.getTime();
      if (waiting.length > 0) await scheduleSweep(db, id, new Date(now.getTime() + sweepIntervalMilliseconds));
      else if (age > retentionMilliseconds) await deleteEnded(db, id);
      else await scheduleSweep(db, id, new Date(now.getTime() + Math.max(firstPauseMilliseconds, age * 6)));
    }
  }

  /** One sweep at a time; organizations added during it cause another one. */
  async function sweepDue(): Promise<void> {
    isRequestedAgain = true;
    sweeping ??= (async () => {
      while (isRequestedAgain && !stopping.signal.aborted) {
        isRequestedAgain = false;
        await sweep();
      }
    })().finally(() => {
      sweeping = undefined;
    });
    await sweeping;
  }

  const failure = "the rows of a deleted organization could not be deleted";
  const stopSweeping = options.work
    ? startPeriodicJob({ intervalMilliseconds: sweepIntervalMilliseconds, work: sweepDue, failure, log })
    : undefined;
  const unsubscribe = options.work
    ? await database.subscribe(channel, () => void sweepDue().catch((err: unknown) => log.warn({ err }, failure)))
    : undefined;
  return {
    /** Records the deletion in the transaction of the event; the rows are deleted after its commit. */
    async end(transaction: Kysely<AnyTables>, organizationId: string): Promise<void> {
      await insertEnded(transaction as unknown as Kysely<EndedTables>, organizationId, clock.now());
      await notify(transaction, channel);
    },
    async stop() {
      unsubscribe?.();
      stopping.abort();
      await stopSweeping?.();
      await sweeping?.catch(() => undefined);
    },
  };
}
