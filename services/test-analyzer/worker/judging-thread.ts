import type { Worker } from "node:worker_threads";
import { startWorker } from "../../kit/worker/worker.ts";
import type { Judgement } from "../contract/verifications.ts";
import type { Batch, BatchItem, JudgedItem } from "./batch.ts";
import { Progress } from "./progress.ts";

const watchMilliseconds = 20;
/** Loading the modules, on a machine that is busy. */
const startMilliseconds = 30_000;
/** Evaluations of one item that may be stopped before the rest of it is given up. */
const stopsOfItem = 3;
/** The same for a whole batch: what bounds its time whatever was sent. */
const stopsOfBatch = 20;

/** A thread that judges one batch at a time, and is ended and started again when one evaluation takes too long. */
export class JudgingThread {
  private worker: Worker | undefined;
  private progress = new Progress();

  private start(): Worker {
    this.progress = new Progress();
    const worker = startWorker(new URL("./judging.worker.ts", import.meta.url), {
      workerData: this.progress.memory,
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
    for (;;) {
      const waiting = items.map((_, index) => index).filter((index) => judgements[index] === undefined);
      if (waiting.length === 0) return judgements as Judgement[];
      const stopped = await this.run(operations, items, waiting, abandoned, judgements);
      if (!stopped) continue;
      stops += 1;
      const tasks = abandoned.get(stopped.item);
      const given = Array.isArray(tasks) ? [...tasks, stopped.task] : [stopped.task];
      abandoned.set(stopped.item, given.length > stopsOfItem || stopped.task < 0 ? "all" : given);
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
  ): Promise<{ item: number; task: number } | undefined> {
    const worker = this.worker ?? this.start();
    const { progress } = this;
    const firstStep = progress.read().step;
    return new Promise((resolve) => {
      let left = waiting.length;
      let step = firstStep;
      let spent = 0;
      let lastLook = performance.now();

      const end = (stopped?: { item: number; task: number }) => {
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
      const stopAt = (item: number, task: number) => {
        this.discard();
        end({ item: itemAt(item), task });
      };
      // Out of memory, mostly: the evaluation under way is taken for the one that did it.
      const lose = () => {
        const now = progress.read();
        this.worker = undefined;
        const unstarted = now.step === firstStep;
        end({ item: itemAt(unstarted ? 0 : now.item), task: unstarted ? -1 : now.task });
      };
      const watch = setInterval(() => {
        const look = performance.now();
        // A machine too busy to look on time is too busy to judge on time: lateness does not count against the evaluation.
        const passed = Math.min(look - lastLook, 2 * watchMilliseconds);
        lastLook = look;
        const now = progress.read();
        spent = now.step === step ? spent + passed : 0;
        step = now.step;
        if (step === firstStep) {
          if (spent > startMilliseconds) stopAt(0, -1);
        } else if (spent > now.limitMilliseconds) stopAt(now.item, now.task);
      }, watchMilliseconds);

      worker.on("message", take);
      worker.on("error", lose);
      worker.on("exit", lose);
      worker.postMessage({
        operations,
        items: waiting.map((index) => items[index] as BatchItem),
        abandoned: waiting.flatMap((index, at) => {
          const tasks = abandoned.get(index);
          return tasks === undefined ? [] : [[at, tasks] as [number, number[] | "all"]];
        }),
      } satisfies Batch);
    });
  }
}
