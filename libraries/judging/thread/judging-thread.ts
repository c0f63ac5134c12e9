import type { Worker } from "node:worker_threads";
import type { Judgement } from "#contracts/test-analyzer/verifications.ts";
import { startWorker } from "../../worker-thread/worker-thread.ts";
import { judgeResponse } from "../judge-response.ts";
import { noSchemas } from "../schema/schema-validator.ts";
import { JudgingActivity } from "./activity.ts";
import type { Batch, BatchItem, JudgedItem } from "./batch.ts";
import { EvaluationTimer } from "./evaluation-timer.ts";

const watchMilliseconds = 20;
/** Loading the modules, on a machine that is busy. */
const startMilliseconds = 30_000;
/** Evaluations of one item that may be stopped before the rest of it is given up. */
const stopsOfItem = 3;
/** The same for a whole batch: what bounds its time whatever was sent. */
const stopsOfBatch = 20;

type Stopped = { item: number; task: number } | "never started";

const givenUp = { begin() {}, isAbandoned: () => true };

/** A thread that judges one batch at a time, and is ended and started again when one evaluation takes too long. */
export class JudgingThread {
  private worker: Worker | undefined;
  private activity = new JudgingActivity();

  private start(): Worker {
    this.activity = new JudgingActivity();
    const worker = startWorker(new URL("./judging.worker.ts", import.meta.url), {
      workerData: this.activity.memory,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    worker.unref();
    // Also while it waits for work: a thread that is lost is started again, and never takes the process with it.
    worker.on("error", () => {});
    worker.on("exit", () => {
      if (this.worker === worker) this.worker = undefined;
    });
    this.worker = worker;
    return worker;
  }

  private discard(): void {
    void this.worker?.terminate();
    this.worker = undefined;
  }

  stop(): void {
    this.discard();
  }

  /** Judges all items, each of them whatever becomes of the others. */
  async judge(operations: string[], items: BatchItem[]): Promise<Judgement[]> {
    const judgements: (Judgement | undefined)[] = items.map(() => undefined);
    const abandoned = new Map<number, number[] | "all">();
    let stops = 0;
    let failedStarts = 0;
    for (;;) {
      for (const [index, tasks] of abandoned) {
        if (tasks === "all")
          judgements[index] ??= judgeResponse((items[index] as BatchItem).item, undefined, noSchemas, givenUp);
      }
      const waiting = items.map((_, index) => index).filter((index) => judgements[index] === undefined);
      if (waiting.length === 0) return judgements as Judgement[];
      const stopped = await this.run(operations, items, waiting, abandoned, judgements);
      if (!stopped) continue;
      failedStarts = stopped === "never started" ? failedStarts + 1 : 0;
      if (failedStarts > 1) throw new Error("The judging thread does not start.");
      if (stopped === "never started") continue;
      stops += 1;
      const tasks = abandoned.get(stopped.item);
      const given = Array.isArray(tasks) ? [...tasks, stopped.task] : [stopped.task];
      abandoned.set(stopped.item, given.length > stopsOfItem ? "all" : given);
      if (stops >= stopsOfBatch) for (const index of waiting) if (!judgements[index]) abandoned.set(index, "all");
    }
  }

  /** Runs until every waiting item is judged, or one evaluation had to be stopped: then says which. */
  private run(
    operations: string[],
    items: BatchItem[],
    waiting: number[],
    abandoned: Map<number, number[] | "all">,
    judgements: (Judgement | undefined)[],
  ): Promise<Stopped | undefined> {
    const worker = this.worker ?? this.start();
    const { activity } = this;
    const timer = new EvaluationTimer(activity.read().step);
    return new Promise((resolve) => {
      let left = waiting.length;

      const end = (stopped?: Stopped) => {
        clearInterval(watch);
        worker.off("message", take);
        worker.off("error", lose);
        worker.off("exit", lose);
        resolve(stopped);
      };
      const itemAt = (at: number) => waiting[at] as number;
      const take = ({ item, judgement }: JudgedItem) => {
        judgements[itemAt(item)] = judgement;
        left -= 1;
        if (left === 0) end();
      };
      // Out of memory, mostly: the evaluation under way is taken for the one that did it.
      const lose = () => {
        const now = activity.read();
        this.worker = undefined;
        end(now.step === timer.firstStep ? "never started" : { item: itemAt(now.item), task: now.task });
      };
      const watch = setInterval(() => {
        const now = activity.read();
        if (!timer.isOver(now.step, timer.isStarting ? startMilliseconds : now.limitMilliseconds)) return;
        this.discard();
        end(timer.isStarting ? "never started" : { item: itemAt(now.item), task: now.task });
      }, watchMilliseconds);

      worker.on("message", take);
      worker.on("error", lose);
      worker.on("exit", lose);
      worker.postMessage({
        operations,
        items: waiting.map((index) => items[index] as BatchItem),
        abandoned: waiting.flatMap((index, at) => {
          const tasks = abandoned.get(index);
          return Array.isArray(tasks) ? [[at, tasks] as [number, number[]]] : [];
        }),
      } satisfies Batch);
    });
  }
}
