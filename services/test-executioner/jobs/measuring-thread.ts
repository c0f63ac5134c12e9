import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { startWorker } from "#libraries/worker-thread/worker-thread.ts";
import type { NoticesAnswer } from "./notices.worker.ts";
import type { StoredNotices, StoredPass } from "./stored-notices.ts";

/** Longer than a test may take, the thread's start included: then a single evaluation takes too long. */
const maxMilliseconds = 10_000;
const restMilliseconds = 10_000;
const heapMebibytes = 512;

/** Finds what tests would notice in a thread of its own, one after the other: executions are judged elsewhere. */
export class MeasuringThread {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #rest: NodeJS.Timeout | undefined;

  /**
   * @returns undefined if it took too long or too much memory
   * @throws Error if what is stored can't be read
   */
  measure(stored: StoredPass): Promise<StoredNotices | undefined> {
    const measured = this.#last.then(() => this.#measure(stored));
    this.#last = measured.catch(() => {});
    return measured;
  }

  async #measure(stored: StoredPass): Promise<StoredNotices | undefined> {
    clearTimeout(this.#rest);
    const worker = this.#worker ?? this.#start();
    const over = new AbortController();
    const { signal } = over;
    worker.postMessage(stored);
    try {
      const answered = once(worker, "message", { signal }) as Promise<[NoticesAnswer]>;
      const ended = once(worker, "exit", { signal }).then(() => undefined);
      const late = pause(maxMilliseconds, undefined, { signal, ref: false });
      const answer = await Promise.race([answered, ended, late]);
      if (!answer) {
        await this.#discard();
        return undefined;
      }
      if ("error" in answer[0]) throw new Error(`A stored response could not be measured. ${answer[0].error}`);
      return answer[0].found;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY") return undefined;
      throw error;
    } finally {
      over.abort();
      this.#rest = setTimeout(() => void this.#discard(), restMilliseconds).unref();
    }
  }

  #start(): Worker {
    const worker = startWorker(new URL("./notices.worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMebibytes },
    });
    worker.unref();
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on("error", forget);
    worker.on("exit", forget);
    this.#worker = worker;
    return worker;
  }

  async #discard(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  /** Ends the thread, after the current test. */
  async stop(): Promise<void> {
    await this.#last;
    clearTimeout(this.#rest);
    await this.#discard();
  }
}
