import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { CancelledWait } from "#libraries/running/pause.ts";
import { logFailure } from "../../kit/database/database-problem.ts";
import type { Offers } from "../../kit/nats/offers.ts";
import type { Settings } from "../../kit/settings/settings.ts";
import { handsOn, keepsCaptures } from "../domain/handing-on.ts";
import type { CapturedValue } from "../store/captures.ts";
import { type ClaimedExecution, hasLost, requeueLost } from "../store/claims.ts";
import type { PublishFinished } from "../store/finished-runs.ts";
import type { ExecutionTables } from "../store/tables.ts";
import type { Taking } from "../store/turns.ts";
import { concurrency, concurrencyOfOne, type Entry, ExecutionClaimer, lowOfOne } from "./execution-claimer.ts";
import { type RunParts, runExecution } from "./execution-run.ts";
import { HeadStart } from "./head-start.ts";
import { extendLeased, giveUp, handBack, isLeased } from "./leased.ts";
import { cancelWaiting, dropCancelled, endExhausted } from "./leftovers.ts";
import { OfferedWork } from "./offered-work.ts";
import type { WriteResult } from "./result-writer.ts";
import type { Snapshots } from "./snapshots.ts";
import { WaitingLine } from "./waiting-line.ts";
import { Waits } from "./waits.ts";

export interface WorkerOptions {
  /** An execution is claimed by another worker after its own has not renewed the lease for this long. Default 60. */
  leaseSeconds?: number;
  /** How long `stop` waits for running executions. Default 30. */
  stopSeconds?: number;
}

export interface ExecutionWorkerParts extends RunParts {
  settings: Pick<Settings, "current" | "follow">;
  db: Kysely<ExecutionTables>;
  log: Logger;
  snapshots: Snapshots;
  writeResult: WriteResult;
  publishFinished: PublishFinished;
  /** Offers of work by NATS; none if undefined. */
  offers?: Offers | undefined;
}

const pollMilliseconds = 1_000;
/** With offers, only every second poll searches the database for work that was not offered. */
const offeredPolls = 2;
/** Executions past their requests that have not ended; beyond this number the database is the bottleneck. */
const maxLeft = 1_000;
/** With fewer under way, waiting for them yields no worthwhile batch. */
const few = 8;

/** Keeps a fixed number of executions of all organizations running. */
export class ExecutionWorker {
  readonly #parts: ExecutionWorkerParts;
  readonly #leaseSeconds: number;
  readonly #stopSeconds: number;
  readonly #line = new WaitingLine<Entry>(concurrencyOfOne);
  readonly #running = new Map<Entry, Promise<void>>();
  /** The subset that has a result. */
  readonly #storing = new Set<Entry>();
  readonly #waits = new Waits();
  readonly #stopping = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #claimer: ExecutionClaimer;
  #claiming: Promise<void> | undefined;
  #sweeping: Promise<void> | undefined;
  #looksForLostAt = 0;
  readonly #offered: OfferedWork | undefined;
  #polls = 0;
  #woken = false;
  /** Whether the next claim searches the database for work that was not offered. */
  #isPoll = false;
  #stopped = false;
  #stop: Promise<void> | undefined;

  constructor(parts: ExecutionWorkerParts, { leaseSeconds = 60, stopSeconds = 30 }: WorkerOptions) {
    this.#parts = parts;
    this.#leaseSeconds = leaseSeconds;
    this.#stopSeconds = stopSeconds;
    this.#offered = parts.offers && new OfferedWork(parts.offers, () => this.#claimSoon());
    this.#claimer = new ExecutionClaimer({ ...parts, offered: this.#offered }, this.#line, leaseSeconds);
    this.#timers.push(setInterval(() => this.#poll(), pollMilliseconds));
    const extend = () =>
      void extendLeased(this.#parts, this.#leaseSeconds, [...this.#running.keys(), ...this.#line.list()]);
    this.#timers.push(setInterval(extend, (leaseSeconds * 1_000) / 3));
    parts.settings.follow(({ concurrencyPerOrganization }) => {
      this.#line.capOfOne = concurrencyPerOrganization;
      this.#advance();
    });
    this.#poll();
  }

  /** Called when there may be work that was not offered. */
  wake(): void {
    this.#isPoll = true;
    this.#claimSoon();
  }

  #claimSoon(): void {
    this.#woken = true;
    this.#advance();
  }

  /** Claims nothing more, waits for running executions and returns those that have not ended. */
  stop(): Promise<void> {
    this.#stop ??= this.#finish();
    return this.#stop;
  }

  async #finish(): Promise<void> {
    this.#stopped = true;
    this.#offered?.stop();
    await this.#claiming;
    await this.#sweeping;
    await handBack(this.#parts, this.#line.drain());
    const all = Promise.all(this.#running.values());
    await Promise.race([all, sleep(this.#stopSeconds * 1_000)]);
    if (this.#running.size > 0) {
      const unfinished = [...this.#running.keys()];
      this.#stopping.abort();
      await handBack(this.#parts, unfinished);
      await Promise.race([all, sleep(1_000)]);
    }
    for (const timer of this.#timers) clearInterval(timer);
  }

  #poll(): void {
    if (this.#stopped) return;
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
    this.#polls += 1;
    if (!this.#offered?.isConnected || this.#polls % offeredPolls === 0) this.wake();
  }

  #advance(): void {
    if (this.#stopped) return;
    while (this.#line.running < concurrency) {
      const entry = this.#line.take();
      if (!entry) break;
      this.#running.set(entry, this.#run(entry));
    }
    if (this.#claiming || !(this.#woken || this.#claimer.isHungry())) return;
    const isPoll = this.#isPoll;
    this.#woken = false;
    this.#isPoll = false;
    this.#claiming = this.#claimer.claim(isPoll).finally(() => {
      this.#claiming = undefined;
      this.#advance();
    });
  }

  async #run(entry: Entry): Promise<void> {
    const { run, execution } = entry.task;
    const isLast = execution.position === run.executions;
    // Its run continues in its slot, and has nothing else to do meanwhile.
    const isAlone = handsOn(run, execution.phase) && !isLast;
    const goesOn = keepsCaptures(run) && !isLast;
    const isAwaited = () => isAlone || (goesOn && this.#line.countWaiting(entry.organizationId) < lowOfOne);
    // Executions that only need judging and storing free their slot: they accumulate into few large calls instead of
    // blocking requests.
    const onLastAnswer = () => {
      if (isAlone || this.#running.size - this.#line.running >= maxLeft) return;
      this.#leave(entry);
      this.#advance();
    };
    const { signal } = this.#stopping;
    let headStart: HeadStart | undefined;
    try {
      const result = await (entry.begun ??
        runExecution(this.#parts, entry.task, { signal, waits: this.#waits, onLastAnswer }));
      onLastAnswer();
      this.#storing.add(entry);
      const heldUntil = performance.now() + this.#leaseSeconds * 1_000;
      const { next } = await this.#parts.writeResult({
        result: { ...result, execution: entry.task.execution, taking: goesOn ? this.#offerPlace() : undefined },
        isHeld: () => isLeased(entry),
        isUrgent: isAwaited() || this.#running.size - this.#storing.size < few,
        onNext: (member) => {
          if (isAlone && isSafe(member.method)) headStart ??= this.#giveHeadStart(entry, result.captures, member);
        },
      });
      if (next) await this.#goOn(entry, result.captures, next, heldUntil, headStart);
    } catch (error) {
      if (!signal.aborted) await this.#endUnfinished(entry, error);
    }
    headStart?.drop();
    this.#storing.delete(entry);
    this.#running.delete(entry);
    this.#leave(entry);
    this.#advance();
  }

  async #endUnfinished(entry: Entry, error: unknown): Promise<void> {
    if (!(error instanceof CancelledWait)) return await giveUp(this.#parts, entry, error);
    // Otherwise the next worker to claim it finds its run cancelled.
    await cancelWaiting(this.#parts, entry.task.execution).catch((failure: unknown) =>
      logFailure(this.#parts.log, failure, "a cancelled test waits for its lease to end"),
    );
  }

  /**
   * A run continues as its members end only while there are free slots; otherwise the next members wait for their turn.
   */
  #offerPlace(): Taking | undefined {
    if (this.#stopped || this.#line.running === concurrency) return undefined;
    return { leaseSeconds: this.#leaseSeconds, now: this.#parts.clock.now() };
  }

  #giveHeadStart({ task }: Entry, captured: CapturedValue[], member: ClaimedExecution): HeadStart {
    const { db, snapshots } = this.#parts;
    const following = snapshots.resolveNext(db, task, captured, member);
    return new HeadStart(member, this.#stopping.signal, following, (started, signal, stored) =>
      runExecution(this.#parts, started, { signal, waits: this.#waits, stored, onLastAnswer() {} }),
    );
  }

  async #goOn(
    entry: Entry,
    captured: CapturedValue[],
    next: ClaimedExecution,
    heldUntil: number,
    headStart: HeadStart | undefined,
  ): Promise<void> {
    const { db, snapshots, log } = this.#parts;
    try {
      const start = headStart?.executionId === next.id && !this.#stopped ? await headStart.keep() : undefined;
      const task = start?.task ?? (await snapshots.resolveNext(db, entry.task, captured, next));
      if (!task) return;
      // If storing was retried, it was claimed again.
      task.execution = next;
      const { organizationId } = entry;
      const following: Entry = { task, organizationId, heldUntil, hasLeft: false, begun: start?.result };
      if (start) {
        // It uses the slot of the one before.
        entry.hasLeft = true;
        this.#running.set(following, this.#run(following));
        return;
      }
      this.#leave(entry);
      if (this.#stopped) await handBack(this.#parts, [following]);
      else this.#line.add(following);
    } catch (error) {
      logFailure(log, error, "the next member of a run waits for its lease to end", { executionId: next.id });
    }
  }

  #leave(entry: Entry): void {
    if (entry.hasLeft) return;
    entry.hasLeft = true;
    this.#line.leave(entry);
  }

  /** Requeues or ends executions that other workers abandoned. */
  async #sweep(): Promise<void> {
    const { db, log } = this.#parts;
    try {
      await dropCancelled(this.#parts, this.#line);
      await this.#waits.endCancelled(db);
      // All that wait are read for it, so not at each poll.
      if (performance.now() < this.#looksForLostAt) return;
      this.#looksForLostAt = performance.now() + this.#leaseSeconds * 100;
      if (!(await hasLost(db))) return;
      if ((await requeueLost(db)) > 0) this.wake();
      await endExhausted(this.#parts, this.#leaseSeconds);
    } catch (error) {
      logFailure(log, error, "lost executions could not be looked for");
    }
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
