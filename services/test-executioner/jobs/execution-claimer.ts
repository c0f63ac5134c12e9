import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { Cache } from "#libraries/cache/cache.ts";
import type { Clock } from "#libraries/clock/clock.ts";
import { logFailure } from "../../kit/database/database-problem.ts";
import { inPipeline } from "../../kit/database/pipeline.ts";
import { planByIndex } from "../../kit/database/prepared.ts";
import {
  type ClaimedExecution,
  claimExecutions,
  claimShared,
  markRunsStarted,
  releaseExecutions,
} from "../store/claims.ts";
import type { ExecutionResult } from "../store/results.ts";
import type { ExecutionTables } from "../store/tables.ts";
import { LastServed } from "./last-served.ts";
import type { Leased } from "./leased.ts";
import type { OfferedWork } from "./offered-work.ts";
import type { Snapshots } from "./snapshots.ts";
import type { WaitingLine } from "./waiting-line.ts";

/** An execution that this process has claimed. */
export interface Entry extends Leased {
  organizationId: string;
  hasLeft: boolean;
  /** Set if it began before the previous result was stored. */
  begun?: Promise<ExecutionResult>;
}

/** Concurrent requests of one process, and how many of these for one organization (H04). */
export const concurrency = 128;
export const concurrencyOfOne = 48;
/**
 * Claimed in advance to hide the round trip of a claim. Refilled when most have started: few large claims cost less.
 */
const reserve = 96;
const reserveOfOne = 48;
const low = 32;
export const lowOfOne = 8;

interface ClaimerParts {
  db: Kysely<ExecutionTables>;
  clock: Clock;
  snapshots: Snapshots;
  log: Logger;
  /** Organizations with work, as offered by NATS. */
  offered?: OfferedWork | undefined;
}

/** Claims executions in batches and adds them to the line of those that wait for a slot. */
export class ExecutionClaimer {
  readonly #parts: ClaimerParts;
  readonly #line: WaitingLine<Entry>;
  readonly #leaseSeconds: number;
  /** Organizations that had waiting executions at the last claim that included them. */
  readonly #withMore = new Set<string>();
  /** Runs known to be marked as started. */
  readonly #started = new Cache<true>({ maxSize: 1_000 });
  readonly #served = new LastServed();

  constructor(parts: ClaimerParts, line: WaitingLine<Entry>, leaseSeconds: number) {
    this.#parts = parts;
    this.#line = line;
    this.#leaseSeconds = leaseSeconds;
  }

  /** Other organizations with work are found by the next notification or poll. */
  isHungry(): boolean {
    if (this.#countCapacity() < reserve - low) return false;
    for (const organization of this.#withMore) if (this.#line.countWaiting(organization) < lowOfOne) return true;
    return false;
  }

  #countCapacity(): number {
    return concurrency + reserve - this.#line.running - this.#line.countStartable();
  }

  /** @param isPoll searches the database for organizations with work, although some may be offered */
  async claim(isPoll: boolean): Promise<void> {
    const { db, clock, snapshots, log, offered } = this.#parts;
    const max = Math.min(concurrency, this.#countCapacity());
    if (max <= 0) return;
    const capacities = this.#line.listCapacities(reserveOfOne);
    const heldUntil = performance.now() + this.#leaseSeconds * 1_000;
    const lease = { leaseSeconds: this.#leaseSeconds, now: clock.now() };
    const mostOfOne = concurrencyOfOne + reserveOfOne;
    const shares = isPoll ? undefined : offered?.share({ max, mostOfOne, capacities, known: this.#withMore });
    if (shares?.size === 0) return;
    try {
      const { claimed } = await inPipeline(db, async (pipeline) => {
        const [, claimed] = await Promise.all([
          planByIndex(pipeline),
          shares
            ? claimShared(pipeline, shares, lease)
            : claimExecutions(pipeline, {
                ...{ ...lease, max, capacities, mostOfOne },
                served: this.#served.list(),
                after: this.#served.furthest,
              }),
        ]);
        const starting = new Set(claimed.map(({ run_id }) => run_id).filter((id) => !this.#started.get(id)));
        return { claimed, last: [markRunsStarted(pipeline, [...starting], lease.now)] };
      });
      if (shares) offered?.taken(shares, countByOrganization(claimed));
      const tasks = await snapshots.resolve(db, claimed).catch(async (error: unknown) => {
        await releaseExecutions(db, claimed);
        throw error;
      });
      for (const { execution } of tasks) this.#started.set(execution.run_id, true);
      this.#served.note(tasks.map(({ execution }) => execution.organization_id));
      for (const organization of this.#withMore) {
        if (shares ? shares.has(organization) : capacities.get(organization) !== 0) this.#withMore.delete(organization);
      }
      for (const task of tasks) {
        const { organization_id: organizationId } = task.execution;
        this.#withMore.add(organizationId);
        this.#line.add({ task, organizationId, heldUntil, hasLeft: false });
      }
    } catch (error) {
      // Retried by the next poll: an unavailable database must not be queried in a loop.
      this.#withMore.clear();
      logFailure(log, error, "executions could not be claimed");
    }
  }
}

function countByOrganization(claimed: readonly ClaimedExecution[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { organization_id } of claimed) counts.set(organization_id, (counts.get(organization_id) ?? 0) + 1);
  return counts;
}
