import type { Worker } from "node:worker_threads";
import type { Judgement } from "#contracts/test-analyzer/verifications.ts";
import { startWorker } from "../../worker-thread/worker-thread.ts";
import { getBodyLength } from "../cost.ts";
import { type ItemToJudge, judgeResponse, noEvaluators } from "../judge-response.ts";
import type { JudgedOperation } from "../judged-response.ts";
import { JudgingActivity } from "./activity.ts";
import { EvaluationTimer } from "./evaluation-timer.ts";
import { KnownOperations } from "./known-operations.ts";
import { type ItemMessage, type JudgedMessage, type JudgingMessage, startMilliseconds } from "./messages.ts";
import { Turns } from "./turns.ts";

const watchMilliseconds = 20;
/** Evaluations of one item that may be stopped before the rest of the item is abandoned. */
const stopsOfItem = 3;
/** The same for a batch, which bounds its time for any input. */
const stopsOfBatch = 20;
/** Items that a thread may have at once while they are small and quickly judged. */
const maxQuick = 16;
const quickCharacters = 65_536;
const quickMilliseconds = 2;

export interface JudgingThreadOptions {
  heapMebibytes: number;
  /**
   * With 2 the next item is copied while one is judged, so that the thread never waits. More would make other owners wait,
   * except for small ones while judging is quick: a message costs more than they do.
   */
  maxSent: 1 | 2;
  /** After so long without an item the thread ends, and its memory is free. Never unless set. */
  restMilliseconds?: number;
}

/** Items submitted together. */
export interface Batch {
  stops: number;
}

interface Work {
  owner: string;
  item: ItemToJudge;
  operation: JudgedOperation | undefined;
  batch: Batch;
  abandoned: number[];
  resolve(judgement: Judgement): void;
  reject(error: Error): void;
}

const givenUp = { begin() {}, isAbandoned: () => true };

/**
 * One thread that judges one item at a time. It starts with the first item, and is terminated and restarted when an
 * evaluation takes too long: only that evaluation is reported as not judged.
 */
export class JudgingThread {
  #worker: Worker | undefined;
  #activity = new JudgingActivity();
  #operations = new KnownOperations();
  #watch: NodeJS.Timeout | undefined;
  #lastId = 0;
  #failedStarts = 0;
  #sending: NodeJS.Immediate | undefined;
  /** Whether the items before were judged in so little time that several may be sent at once. */
  #isQuick = false;
  #rest: NodeJS.Timeout | undefined;
  readonly #options: JudgingThreadOptions;
  readonly #waiting = new Turns<Work>();
  /** In the order sent. */
  readonly #sent = new Map<number, Work>();

  constructor(options: JudgingThreadOptions) {
    this.#options = options;
  }

  judge(given: Pick<Work, "owner" | "item" | "operation" | "batch">): Promise<Judgement> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(given.owner, { ...given, abandoned: [], resolve, reject });
      // What arrives in one turn of the event loop is one message.
      this.#sending ??= setImmediate(() => this.#send());
    });
  }

  /** Starts the thread before the first item. */
  prepare(): void {
    this.#worker ??= this.#start();
  }

  /** Rejects items that have not been judged. */
  stop(): void {
    clearImmediate(this.#sending);
    this.#sending = undefined;
    this.#discard();
    const unjudged = [...this.#sent.values(), ...this.#waiting.drain()];
    this.#sent.clear();
    for (const { reject } of unjudged) reject(new Error("The judging thread was stopped."));
  }

  #start(): Worker {
    this.#activity = new JudgingActivity();
    this.#activity.begin(0, 0, startMilliseconds);
    this.#operations = new KnownOperations();
    const worker = startWorker(new URL("./judging.worker.ts", import.meta.url), {
      workerData: this.#activity.memory,
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMebibytes },
    });
    worker.unref();
    worker.on("message", (message: JudgedMessage) => {
      if (this.#worker === worker) this.#take(message);
    });
    // Usually out of memory. Also registered while idle: losing the thread must never crash the process.
    const lose = () => {
      if (this.#worker === worker) this.#lose();
    };
    worker.on("error", lose);
    worker.on("exit", lose);
    this.#worker = worker;
    return worker;
  }

  #discard(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    clearTimeout(this.#rest);
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #send(): void {
    clearImmediate(this.#sending);
    this.#sending = undefined;
    const items: ItemMessage[] = [];
    for (let work = this.#takeNext(); work; work = this.#takeNext()) {
      if (work.abandoned.length > stopsOfItem || work.batch.stops >= stopsOfBatch) {
        work.resolve(judgeResponse(work.item, undefined, noEvaluators, givenUp));
        continue;
      }
      this.#worker ??= this.#start();
      this.#lastId = (this.#lastId % 0x3fffffff) + 1;
      this.#sent.set(this.#lastId, work);
      const mentioned = work.operation ? this.#operations.mention(work.operation) : { forgotten: [] };
      items.push({ id: this.#lastId, item: work.item, abandoned: work.abandoned, ...mentioned });
    }
    if (items.length === 0) return;
    clearTimeout(this.#rest);
    this.#worker?.postMessage(items satisfies JudgingMessage);
    this.#watch ??= this.#startWatch();
  }

  #takeNext(): Work | undefined {
    const { size } = this.#sent;
    const mayTake = size < this.#options.maxSent || (this.#isQuick && size < maxQuick && this.#areSmall());
    return mayTake ? this.#waiting.take() : undefined;
  }

  #areSmall(): boolean {
    let characters = 0;
    for (const { item } of this.#sent.values()) characters += getBodyLength(item);
    return characters < quickCharacters;
  }

  #take({ judged, milliseconds }: JudgedMessage): void {
    this.#failedStarts = 0;
    this.#isQuick = milliseconds <= judged.length * quickMilliseconds;
    for (const { id, judgement } of judged) {
      this.#sent.get(id)?.resolve(judgement);
      this.#sent.delete(id);
    }
    this.#send();
    if (this.#sent.size > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
    const { restMilliseconds } = this.#options;
    if (restMilliseconds !== undefined) this.#rest = setTimeout(() => this.#discard(), restMilliseconds).unref();
  }

  #startWatch(): NodeJS.Timeout {
    const timer = new EvaluationTimer(this.#activity.read().step);
    return setInterval(() => {
      const { step, limitMilliseconds } = this.#activity.read();
      if (timer.isOver(step, limitMilliseconds)) this.#lose();
    }, watchMilliseconds);
  }

  /** The running evaluation is assumed to be the one that took too long or exhausted memory. */
  #lose(): void {
    const { item, task } = this.#activity.read();
    this.#discard();
    this.#isQuick = false;
    const culprit = this.#sent.get(item);
    this.#sent.delete(item);
    const others = [...this.#sent.values()];
    this.#sent.clear();
    if (culprit) {
      culprit.batch.stops += 1;
      culprit.abandoned.push(task);
      // After its owner's other items, which should not wait for further slow evaluations of this one.
      this.#waiting.add(culprit.owner, culprit);
    } else if (others.length > 0) this.#failedStarts += 1;
    if (this.#failedStarts > 1) {
      this.#failedStarts = 0;
      for (const { reject } of others) reject(new Error("The judging thread does not start."));
    } else this.#waiting.putBack(others);
    this.#send();
  }
}
